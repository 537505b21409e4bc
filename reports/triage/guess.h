// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guess at the row of a finding, before anything is reduced: what is at fault
// in the function as it was found (fault.h). A reduction takes a hundred times
// as long, and most of what a pipeline gets wrong is one mistake in many
// shapes.
// Threads: Guesses is safe from any thread.
#pragma once

#include "corpus/store/store.h"

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <tuple>

namespace reports {

class Guesses {
public:
  /// The key of its fault, or its bucket where it has no verdict, or none that
  /// some milliseconds give. Asked again, it is remembered. `semantics`: of the
  /// columns.
  std::string of(const corpus::Finding &finding,
                 std::span<const std::string> semantics);

private:
  std::mutex mutex_;
  /// By source, target and semantics.
  std::map<std::tuple<corpus::Bytes, corpus::Bytes, std::string>, std::string>
      guesses_;
};

} // namespace reports
