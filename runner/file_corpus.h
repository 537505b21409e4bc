// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of somebody's files and folders, taken as they are: what cannot
// be read and what a Program cannot express is kept by name and reason, and the
// rest runs. A file may say itself which pipelines its functions are for.
// Threads: pure functions of the files.
#pragma once

#include "corpus/program/reader.h"
#include "corpus/store/store.h"
#include "enumerate/space.h"
#include "runner/backend.h"

#include <cstdint>
#include <string>
#include <vector>

namespace runner {

/// `--passes=` this: each file's functions go through what its RUN lines say.
inline constexpr std::string_view passesFromFile = "from-file";

/// A file or a function that is not sent through the optimizer.
struct LeftOut {
  std::string name;
  std::string reason;
};

/// What a corpus was made of, beside the functions that run.
struct CorpusReport {
  std::uint64_t files = 0;         ///< looked at, unreadable ones too
  std::uint64_t functions = 0;     ///< with a body, in the files that were read
  std::vector<LeftOut> unreadable; ///< files, and folders that do not open
  std::vector<LeftOut> unsupported; ///< functions
  /// Functions that run, once for each thing that Reading::toRun left out.
  std::vector<LeftOut> readWithout;
  /// With from-file: functions without a pipeline, and each function once more
  /// for each optimizer that refuses a pipeline of its file.
  std::vector<LeftOut> notRun;
};

/// What was left out for one reason.
struct LeftOutFor {
  std::string reason;
  std::uint64_t count = 0;
  std::string example; ///< the first
};
/// The most frequent reason first.
std::vector<LeftOutFor> byReason(const std::vector<LeftOut> &all);

struct FileCorpus {
  /// The functions of one pipeline of RUN lines, ascending and disjoint.
  struct Group {
    Pipeline pipeline;
    std::vector<corpus::PositionRange> functions;
  };

  std::vector<enumerate::NamedProgram> programs;
  std::vector<Group> groups; ///< with from-file, by first function
  CorpusReport report;
};

/// Reads files, and what is in folders at any depth and ends in .ll or .bc. An
/// unreadable file of a folder is left out, unless `failOnUnreadable`; one that
/// is named by itself always fails, as does a corpus without a function to run.
corpus::Result<FileCorpus>
readFileCorpus(const std::vector<std::string> &arguments,
               corpus::ProgramReader &reader, bool pipelinesFromFile,
               bool failOnUnreadable);

} // namespace runner
