// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Space: a finite, ordered set of Programs. rank <-> Program is a bijection
// that the space's version freezes, so "function 1,234,567 of i2x3" is a
// permanent name. Only where a list, `idioms` or `recurrences` has a Program
// twice, as a pattern and as the instructions that it stands for, are there
// ranks that rank() does not return. Memory does not depend on the size of the
// space. Threads: a Space is immutable after construction and may be shared; a
// Cursor belongs to one thread.
#pragma once

#include "corpus/program/program.h"
#include "corpus/program/rank.h"
#include "corpus/program/result.h"
#include "enumerate/symmetry.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace enumerate {

using corpus::Rank;

class DecisionGraph;

/// Walks a space in rank order, changing one Program in place.
class Cursor {
public:
  virtual ~Cursor() = default;
  /// Requires !atEnd(). The reference stays the same object for the cursor's
  /// life; next() changes it.
  virtual const corpus::Program &program() const = 0;
  virtual Rank rank() const = 0;
  virtual bool atEnd() const = 0;
  virtual void next() = 0;
};

class Space {
public:
  virtual ~Space() = default;
  /// The canonical spec: parseSpace() of it gives this space again. Names every
  /// modifier that differs from its default, in a fixed order.
  virtual std::string spec() const = 0;
  /// Number of programs; ranks are 0 .. count() - 1.
  virtual Rank count() const = 0;
  /// Requires rank < count().
  virtual corpus::Program at(Rank rank) const = 0;
  /// The lowest. Nothing when `program` is not a member.
  virtual std::optional<Rank> rank(const corpus::Program &program) const = 0;
  /// One line on why rank(program) is nothing, which is required.
  virtual std::string whyNotMember(const corpus::Program &program) const = 0;
  /// A cursor that starts at `rank` (at the end when rank >= count()).
  virtual std::unique_ptr<Cursor> from(Rank rank) const = 0;
  /// The rules of the spec's `symmetry=`; nothing when the spec has none. Ranks
  /// and count() do not depend on them: whoever walks the space skips what a
  /// RepresentativeFilter says.
  virtual std::optional<Symmetry> symmetry() const = 0;
  /// What to call a member in messages: "i2x2#17", or file and function name.
  virtual std::string nameOf(Rank rank) const = 0;
  /// Why that LLVM release cannot take this space ("LLVM 14 has no `samesign`;
  /// take vocabulary core"), or nothing.
  virtual std::optional<std::string> lackIn(unsigned release) const = 0;
  /// So many ranks are worth a look before the others; 0: they are all alike.
  virtual Rank leading() const { return 0; }
  /// How programs are decided; nothing for programs that were not generated.
  virtual const DecisionGraph *decisions() const { return nullptr; }
};

/// The same program with its arguments numbered as members of a space have
/// them, by first use, operands of phis last, and without the unused ones.
corpus::Program numberByDecision(const corpus::Program &program);

/// Number kept in databases and certificates; changes whenever a rank does.
inline constexpr int orderVersion = 1;

/// Parses `i<W>x<N>[:modifier,...]` and what parseFoldSpec() takes. The message
/// for a typo names the bad word and what is allowed there. A count beyond 128
/// bits is an error that says so.
corpus::Result<std::unique_ptr<Space>> parseSpace(std::string_view spec);

/// The programs of somebody's files as a space, in the order given.
struct NamedProgram {
  std::string name;
  corpus::Program program;
};
std::unique_ptr<Space> makeListSpace(std::string spec,
                                     std::vector<NamedProgram> programs);

/// `k` distinct ranks of [0, count), ascending, uniform, the same for the same
/// seed on every machine; all of them when k >= count.
std::vector<Rank> sampleRanks(Rank count, std::uint64_t k, std::uint64_t seed);

} // namespace enumerate
