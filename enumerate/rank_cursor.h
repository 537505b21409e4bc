// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cursor for spaces whose neighbours have little in common, such as lists: it
// asks the space for each program.
// Threads: a cursor belongs to one.
#pragma once

#include "enumerate/space.h"

#include <cassert>

namespace enumerate {

class RankCursor final : public Cursor {
public:
  RankCursor(const Space &space, Rank rank) : space_(space), rank_(rank) {
    load();
  }
  const corpus::Program &program() const override {
    assert(!atEnd());
    return program_;
  }
  Rank rank() const override { return rank_; }
  bool atEnd() const override { return rank_ >= space_.count(); }
  void next() override {
    assert(!atEnd());
    ++rank_;
    load();
  }

private:
  void load() {
    if (!atEnd())
      program_ = space_.at(rank_);
  }

  const Space &space_;
  Rank rank_;
  corpus::Program program_;
};

} // namespace enumerate
