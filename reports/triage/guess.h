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
#include <string>
#include <tuple>

namespace reports {

class Guesses {
public:
  /// The key of its fault under that semantics, or its bucket where it has no
  /// target, or none that some milliseconds say something of. Asked
  /// again, it is remembered.
  std::string of(const corpus::Finding &finding, const std::string &semantics);

private:
  std::mutex mutex_;
  /// By source, target and semantics.
  std::map<std::tuple<corpus::Bytes, corpus::Bytes, std::string>, std::string>
      guesses_;
};

} // namespace reports
