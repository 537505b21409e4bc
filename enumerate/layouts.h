// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions of a space by layout: a control-flow graph, how many
// instructions stand in each of its blocks, and the type that is returned; with
// the exact number of functions of each. A graph has about a hundred layouts,
// and what counts of one is the same in many graphs, so a space with tens of
// thousands of graphs is counted in a second or so.
// Immutable after construction, may be shared by threads.
#pragma once

#include "corpus/program/rank.h"
#include "corpus/program/result.h"
#include "enumerate/layout_sum.h"
#include "enumerate/layout_tables.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace enumerate {

struct Layout {
  std::uint16_t cfg = 0;
  std::vector<std::uint8_t> blocks;  ///< with instructions, ascending
  std::vector<std::uint8_t> lengths; ///< instructions of each of these
  /// Number of the type that each `ret` takes; of void the number of types. 0
  /// where there is no `ret`.
  std::uint8_t returned = 0;
  corpus::Rank functions = 0; ///< how many it has
};

class Layouts {
public:
  using Rank = corpus::Rank;

  /// Fails when 128 bits might not do.
  static corpus::Result<Layouts> build(const LayoutTables &tables);

  Rank count() const { return before_.back(); }
  /// The layout of the function with that rank, which becomes its rank in the
  /// layout. Requires rank < count().
  Layout at(Rank &rank) const;
  /// Functions of all layouts before that one, which must be of the space. Says
  /// how many it has.
  Rank before(Layout &layout) const;

private:
  /// What layouts of one shape have, in their order.
  struct Group {
    std::vector<Rank> before; ///< and behind the last
    std::uint8_t returns = 1; ///< types that may be returned
    Rank count() const { return before.back(); }
  };

  class Builder;

  std::vector<std::vector<std::uint8_t>> sets_; ///< of blocks
  /// By number of blocks: all ways to lay the instructions out.
  std::vector<std::vector<std::vector<std::uint8_t>>> lengths_;
  std::vector<std::uint32_t> groupOf_; ///< by graph and set
  std::vector<Group> groups_;
  std::vector<Rank> before_; ///< by graph, and behind the last
};

} // namespace enumerate
