// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes two findings one bug. A wrong pair is stripped to its core, the
// part of source and target that differs and is wrong by itself: the same
// mistake inside `add` and inside `mul` has one core.
// Threads: pure functions; the Checker belongs to the caller's thread.
#pragma once

#include "checker/check.h"
#include "corpus/program/program.h"

#include <string>
#include <string_view>

namespace reports {

struct Core {
  corpus::Program source;
  corpus::Program target;
  checker::Kind kind = checker::Kind::value;
  /// The target claims a range of what the source returns, and nothing else:
  /// what the optimizer knows of a value is wrong, whatever it made of it.
  bool isFact = false;
};

/// Requires that (source, target) is wrong with `kind`; the result is wrong
/// with its own kind, in canonical form. Operations that are the same on both
/// sides around the difference go (poison that a division turned into UB is
/// poison again), values that are the same below it become arguments, and flags
/// of the target that are not to blame are dropped.
Core coreOf(const corpus::Program &source, const corpus::Program &target,
            checker::Kind kind, const checker::Semantics &semantics,
            checker::Checker &checker);

/// `simplifycfg` of `simplifycfg<switch-to-lookup>`, `flatten-cfg` of
/// `flattencfg`: releases differ in options and spellings.
std::string_view canonicalPass(std::string_view pass);

/// Twelve hexadecimal digits, the same on every machine and in every campaign:
/// of the pass, the kind and the core with its constants abstracted. Where only
/// attributes of the function differ, of those instead: an inference is wrong,
/// and in which of many functions says little.
std::string signatureOf(std::string_view pass, const Core &core);
/// The same of the pair as it is, for bugs that a user found to be several.
std::string exactSignatureOf(std::string_view pass, checker::Kind kind,
                             const corpus::Program &source,
                             const corpus::Program &target);
/// The same for a finding without a target: `detail` is the crash's line.
std::string signatureOf(std::string_view pass, checker::Kind kind,
                        std::string_view detail);

/// The row of a bug: of the pass and the key of its Fault.
std::string rootOf(std::string_view pass, std::string_view fault);

} // namespace reports
