// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of functions from some stage of a pipeline on, by their key
// there. Bounded: when full it forgets everything, which costs time and never
// changes a result.
// Threads: belongs to one thread.
#pragma once

#include "corpus/program/encode.h"
#include "corpus/program/program.h"
#include "runner/llvm/function_key.h"

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace runner {

class Memo {
public:
  /// About what it may take.
  void setLimit(std::size_t bytes) { limit_ = bytes; }
  /// The end of a function that had `key` before stage `stage`, or null. Valid
  /// until the next insert().
  const corpus::Program *find(FunctionKey::Value key, std::size_t stage) const;
  void insert(FunctionKey::Value key, std::size_t stage,
              const corpus::Program &end);
  void clear();

private:
  using Key = std::pair<FunctionKey::Value, std::uint32_t>;

  std::size_t limit_ = 0;
  std::size_t bytes_ = 0;
  llvm::DenseMap<Key, std::uint32_t> ends_; ///< index into programs_
  // A pass leaves few forms, so each is kept once.
  std::vector<corpus::Program> programs_;
  llvm::DenseMap<std::uint64_t, std::uint32_t> indexOf_; ///< by hash
  corpus::Bytes scratch_;
};

} // namespace runner
