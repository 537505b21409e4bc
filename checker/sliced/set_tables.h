// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the engine of sets computes with: the elements of a type under a
// semantics, and for each operation a table of terms, made once from
// lane_ops/concrete.h.
// Threads: a SetTables belongs to one thread.
#pragma once

#include "checker/lane_ops/concrete.h"
#include "checker/sliced/set_kernel.h"

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>

namespace checker::setsliced {

/// Elements of a type, those without poison first.
struct Elements {
  std::vector<Element> list;
  std::uint32_t poisonFrom = 0; ///< elements from here on have poison
  std::uint32_t numbers = 0;    ///< undef is the elements below

  std::uint16_t size() const { return static_cast<std::uint16_t>(list.size()); }
  std::uint16_t indexOf(const Element &element) const;
};

/// An operand: a type, and the elements it has where it is a literal.
struct TableOperand {
  corpus::Type type;
  const core::Literal *literal = nullptr;
};

class SetTables {
public:
  explicit SetTables(const Semantics &semantics) : semantics_(semantics) {}

  const Semantics &semantics() const { return semantics_; }
  /// Nothing for a type with too many.
  const Elements *elementsOf(corpus::Type type);
  /// Requires elementsOf(operand.type) and a literal.
  std::vector<std::uint16_t> literalElements(const TableOperand &operand);

  // Tables; nothing where one would be too large. They stay until clear().
  // Output i: element i of the result; the last one: UB.
  std::optional<Table> compute(const Operation &operation,
                               std::span<const TableOperand> operands);
  /// Output i: a fork may pick the number i.
  std::optional<Table> pick(corpus::Type type);
  /// Output i: element i of a condition whose poison became `picked`; the last
  /// one: it was poison.
  std::optional<Table> settle(corpus::Type type, unsigned picked);
  std::optional<Table> range(corpus::Type type, std::uint64_t low,
                             std::uint64_t high);
  /// Output t: source elements that element t of the target refines.
  std::optional<Table> covers(corpus::Type type);

  /// Terms of all tables.
  std::size_t size() const { return size_; }
  void clear();

private:
  enum class Purpose : std::uint64_t { compute, pick, settle, range, covers };
  struct Key {
    std::array<std::uint64_t, 6> words{};
    friend bool operator==(const Key &, const Key &) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key &key) const;
  };
  struct OwnedTable {
    std::vector<Term> terms;
    std::vector<std::uint32_t> ends;
    std::uint8_t arity = 0;
  };

  template <typename Build>
  std::optional<Table> known(const Key &key, Build build);
  template <typename Outputs>
  OwnedTable ofOneOperand(corpus::Type type, std::size_t outputs,
                          Outputs outputsOf);
  OwnedTable build(const Operation &operation,
                   std::span<const TableOperand> operands);
  bool addOutputs(const Operation &operation, std::span<const Element> pick,
                  std::vector<std::uint32_t> &outputs);

  Semantics semantics_;
  std::vector<std::pair<corpus::Type, std::unique_ptr<Elements>>> elements_;
  std::unordered_map<Key, OwnedTable, KeyHash> tables_;
  std::size_t size_ = 0;
};

} // namespace checker::setsliced
