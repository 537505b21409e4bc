// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/pairs.h"

#include "enumerate/rank_cursor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace enumerate {

using corpus::Error;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Result;
using corpus::Type;

namespace {

/// Adds what joins two values of one type, and returns the result.
using Join = Operand (*)(Program &, const Operand &, const Operand &);

template <Opcode opcode>
Operand joinBy(Program &program, const Operand &a, const Operand &b) {
  return program.append(opcode, a.type, {a, b});
}
Operand joinByLogicalAnd(Program &program, const Operand &a, const Operand &b) {
  return program.append(Opcode::select, a.type,
                        {a, b, Operand::constant(a.type, 0)});
}
Operand joinByLogicalOr(Program &program, const Operand &a, const Operand &b) {
  return program.append(Opcode::select, a.type,
                        {a, Operand::constant(a.type, 1), b});
}
Operand joinAsLanes(Program &program, const Operand &a, const Operand &b) {
  const Type type = Type::vector(2, a.type);
  const Type i32 = Type::integer(32);
  const Operand first =
      program.append(Opcode::insertelement, type,
                     {Operand::poison(type), a, Operand::constant(i32, 0)});
  return program.append(Opcode::insertelement, type,
                        {first, b, Operand::constant(i32, 1)});
}

constexpr std::size_t joinCount = 6;
constexpr std::array<Join, joinCount> joinsOfConditions = {
    joinBy<Opcode::and_>, joinBy<Opcode::or_>, joinBy<Opcode::xor_>,
    joinByLogicalAnd,     joinByLogicalOr,     joinAsLanes};
constexpr std::array<Join, joinCount> joinsOfIntegers = {
    joinBy<Opcode::and_>, joinBy<Opcode::or_>, joinBy<Opcode::xor_>,
    joinBy<Opcode::add>,  joinBy<Opcode::mul>, joinAsLanes};

/// Adds the function behind what is there, and returns what it returns.
Operand append(Program &program, const Program &function) {
  const auto values = static_cast<std::uint64_t>(program.instructions.size());
  const auto arguments =
      static_cast<std::uint64_t>(program.signature.parameters.size());
  program.signature.parameters.insert(program.signature.parameters.end(),
                                      function.signature.parameters.begin(),
                                      function.signature.parameters.end());
  std::vector<Operand> operands;
  for (const Instruction &instruction : function.instructions) {
    const auto old = function.operandsOf(instruction);
    operands.assign(old.begin(), old.end());
    for (Operand &operand : operands)
      if (operand.is(Operand::Kind::instruction))
        operand.payload += values;
      else if (operand.is(Operand::Kind::argument))
        operand.payload += arguments;
    if (instruction.opcode != Opcode::ret)
      program.append(instruction, operands);
  }
  return operands.front();
}

Program joined(const Program &a, const Program &b, std::size_t join) {
  Program program;
  Operand first = append(program, a);
  Operand second = append(program, b);
  const auto widen = [&](Operand &narrow, Type type) {
    if (narrow.type.width() < type.width())
      narrow = program.append(Opcode::zext, type, {narrow});
  };
  widen(first, second.type);
  widen(second, first.type);
  const auto &joins =
      first.type.width() == 1 ? joinsOfConditions : joinsOfIntegers;
  const Operand result = joins[join](program, first, second);
  program.signature.returnType = result.type;
  program.append(Opcode::ret, Type(), {result});
  return program;
}

/// The instructions [begin, end) as a function that returns the last result.
Program partOf(const Program &program, std::size_t begin, std::size_t end) {
  Program part;
  part.signature.parameters = program.signature.parameters;
  for (std::size_t i = begin; i < end; ++i) {
    const auto old = program.operandsOf(program.instructions[i]);
    std::vector<Operand> operands(old.begin(), old.end());
    for (Operand &operand : operands)
      if (operand.is(Operand::Kind::instruction))
        operand.payload -= begin; // of another part: out of range
    part.append(program.instructions[i], operands);
  }
  const Type type = part.instructions.back().type;
  part.signature.returnType = type;
  part.append(Opcode::ret, Type(),
              {Operand::instruction(type, end - begin - 1)});
  return part;
}

class PairSpace final : public Space {
public:
  PairSpace(std::string spec, std::unique_ptr<Space> each)
      : spec_(std::move(spec)), each_(std::move(each)) {}

  std::string spec() const override { return spec_; }
  std::optional<Symmetry> symmetry() const override { return symmetry::args; }
  Rank count() const override {
    return each_->count() * each_->count() * joinCount;
  }
  Program at(Rank rank) const override {
    assert(rank < count());
    const Rank pair = rank / joinCount;
    const Rank first = pair / each_->count();
    return joined(each_->at(first), each_->at(pair - first * each_->count()),
                  static_cast<std::size_t>(rank - pair * joinCount));
  }

  std::optional<Rank> rank(const Program &program) const override {
    std::optional<Rank> lowest;
    if (corpus::verify(program) || !program.isStraightLine())
      return lowest;
    // Each part ends in its result, or something would be unused.
    const std::size_t last = program.instructions.size();
    for (std::size_t middle = 1; middle < last; ++middle) {
      const auto first = rankOf(program, 0, middle);
      for (std::size_t end = middle + 1; first && end < last; ++end)
        if (const auto second = rankOf(program, middle, end))
          for (std::size_t join = 0; join < joinCount; ++join) {
            const Rank rank =
                (*first * each_->count() + *second) * joinCount + join;
            if (rank < lowest.value_or(count()) && at(rank) == program)
              lowest = rank;
          }
    }
    return lowest;
  }
  std::string whyNotMember(const Program &) const override {
    return fmt::format("it is no two functions of {}, one behind the other, "
                       "and what joins their results",
                       each_->spec());
  }

  std::unique_ptr<Cursor> from(Rank rank) const override {
    return std::make_unique<RankCursor>(*this, std::min(rank, count()));
  }
  std::string nameOf(Rank rank) const override {
    return fmt::format("{}#{}", spec_, rank);
  }
  std::optional<std::string> lackIn(unsigned release) const override {
    return each_->lackIn(release);
  }

private:
  /// Of that part of a program in the space of the parts.
  std::optional<Rank> rankOf(const Program &program, std::size_t begin,
                             std::size_t end) const {
    if (!program.instructions[end - 1].type.isInteger())
      return std::nullopt;
    const Program part = partOf(program, begin, end);
    return corpus::verify(part) ? std::nullopt
                                : each_->rank(numberByDecision(part));
  }

  std::string spec_;
  std::unique_ptr<Space> each_;
};

} // namespace

Result<std::unique_ptr<Space>> makePairSpace(std::string spec,
                                             std::unique_ptr<Space> each) {
  Rank pairs = 0;
  if (__builtin_mul_overflow(each->count(), each->count(), &pairs) ||
      __builtin_mul_overflow(pairs, Rank(joinCount), &pairs))
    return Error{fmt::format("space {} has more functions than 128 bits can "
                             "count: take fewer instructions or arguments, or "
                             "consts=few",
                             spec)};
  return std::unique_ptr<Space>(
      std::make_unique<PairSpace>(std::move(spec), std::move(each)));
}

} // namespace enumerate
