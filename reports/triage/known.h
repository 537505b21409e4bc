// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bugs in corpus/known: one function a file, and in `; key: value` lines at
// its head which pass gets it wrong, how, and in which LLVM releases.
// Threads: pure functions.
#pragma once

#include "checker/semantics/verdict.h"
#include "corpus/program/result.h"
#include "reports/triage/bug.h"
#include "runner/backend.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reports {

struct KnownBug {
  std::string path;
  std::string id;                  ///< "kb19"
  std::vector<std::string> issues; ///< "llvm/llvm-project#59301"
  std::string passes;              ///< where `passesIn` says nothing else
  std::map<unsigned, std::string> passesIn;   ///< by release
  std::map<unsigned, std::string> llvmArgsIn; ///< by release
  std::string dataLayout;                     ///< empty: LLVM's default
  checker::Kind kind = checker::Kind::value;
  std::string semantics;         ///< preset under which it is wrong
  std::vector<unsigned> wrongIn; ///< releases
  std::vector<unsigned> rightIn;
  std::vector<unsigned> notIn;       ///< cannot be asked
  std::vector<unsigned> otherwiseIn; ///< crash on it, or make invalid IR
  /// Ids that triage gives to its findings; releases may differ in them.
  std::vector<std::string> signatures;
  std::vector<std::string> roots; ///< of the same; releases may differ in them

  runner::Pipeline pipeline(unsigned release) const;
};

/// Keys: id issue passes passes-N llvm-arg-N data-layout kind semantics
/// wrong-in right-in not-in otherwise-in signature root. Fails for a missing or
/// unknown one and names the line.
corpus::Result<KnownBug> readKnownBug(const std::string &path);

/// All of a folder, by id.
corpus::Result<std::vector<KnownBug>> readKnownBugs(const std::string &folder);

/// The files of corpus/known, inside the program.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};
std::span<const EmbeddedFile> knownFiles();

/// The bug of corpus/known with that signature.
std::optional<Known> knownBug(const std::string &signature);
/// The only bug of corpus/known with that root, or the first where all are one
/// issue, and a window that does not contradict that of `bug`. Nothing for a
/// bug without a window.
std::optional<Known> knownRoot(const Bug &bug);
/// The roots that the bug of corpus/known with that id has; none without one.
std::vector<std::string> rootsOfKnown(const std::string &id);
/// Its signatures likewise.
std::vector<std::string> signaturesOfKnown(const std::string &id);

} // namespace reports
