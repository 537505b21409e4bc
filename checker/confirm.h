// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A third opinion on a verdict, from an `alive-tv` on PATH (Alive2). It exits
// with 0 on wrong pairs too, so that its text has to be read.
// Threads: may be used from several; each question is a process of its own.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/semantics/verdict.h"
#include "corpus/program/program.h"
#include "corpus/program/reader.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace checker {

enum class Opinion : std::uint8_t { none, agrees, knownDifference, disagrees };

inline constexpr std::array<std::string_view, 4> opinionSpelling = {
    "no opinion", "agrees", "known difference", "disagrees"};

struct Confirmation {
  Opinion opinion = Opinion::none;
  std::string why; ///< what alive-tv says, or why it has no opinion
};

class AliveTv {
public:
  using Pair = std::pair<corpus::Program, corpus::Program>;

  /// `differences`: a file of pairs @src/@tgt, @src1/@tgt1, ... on which
  /// Alive2 is known to differ. Fails without an alive-tv on PATH.
  static corpus::Result<AliveTv> find(const std::string &differences,
                                      corpus::ProgramReader &reader);

  /// Requires a verdict on that pair, with its witness if it is wrong.
  Confirmation confirm(const corpus::Program &source,
                       const corpus::Program &target,
                       const Semantics &semantics,
                       const Verdict &verdict) const;

private:
  std::vector<Pair> differences_; ///< in canonical form
};

/// The file that is shipped with this program.
std::string shippedDifferences();

} // namespace checker
