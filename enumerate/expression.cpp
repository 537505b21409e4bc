// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/expression.h"

#include "corpus/program/canonical.h"
#include "corpus/program/shape.h"
#include "enumerate/space.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace enumerate {

using corpus::Instruction;
using corpus::Operand;
using corpus::Place;
using corpus::Program;
using corpus::Type;

namespace {

/// Reads an expression from left to right, which appends its instructions in
/// the order in which they are executed.
class ExpressionReader {
public:
  ExpressionReader(std::string_view text, Type type)
      : text_(text), type_(type), bits_(type.withLanes(Type::integer(1))),
        half_(type.withLanes(Type::integer(type.lane(0).width() / 2))) {
    program_.blocks.push_back({0, 0});
  }

  Program run() {
    [[maybe_unused]] const Operand result = expression(type_);
    assert(text_.empty() && result.is(Operand::Kind::instruction));
    corpus::renumberConstants(program_);
    return numberByDecision(program_);
  }

private:
  static constexpr Type i1 = Type::integer(1);

  /// Whether that comes next, which is then read.
  bool take(std::string_view wanted) {
    if (!text_.starts_with(wanted))
      return false;
    text_.remove_prefix(wanted.size());
    return true;
  }

  std::string_view word() {
    const std::size_t length =
        std::min(text_.find_first_of(" (,)"), text_.size());
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    return word;
  }

  /// A number has the type that is `wanted`.
  Operand expression(Type wanted) {
    const std::string_view name = word();
    if (text_.starts_with(' ') || text_.starts_with('('))
      return instruction(name);
    if (name == "c" || name == "d")
      return parameter(name.front(), bits_);
    if (name == "n" || name == "m")
      return parameter(name.front(), half_);
    if (name == "x" || name == "y" || name == "z")
      return parameter(name.front(), type_);
    if (name == "true" || name == "false")
      return constant(wanted == i1 ? i1 : bits_, name == "true" ? 1 : 0);
    return constant(wanted, number(name, wanted.lane(0)));
  }

  /// The same in all lanes of a vector.
  Operand constant(Type type, std::uint64_t number) {
    const Operand lane =
        Operand::constant(type.lane(0), number & type.lane(0).mask());
    return type.isVector()
               ? program_.literal(type, std::vector(type.lanes(), lane))
               : lane;
  }

  static std::uint64_t number(std::string_view name, Type lane) {
    const std::pair<std::string_view, std::uint64_t> names[] = {
        {"min", lane.mask() ^ (lane.mask() >> 1)},
        {"max", lane.mask() >> 1},
        {"width", lane.width()},
        {"last", lane.width() - 1},
    };
    for (const auto &[spelling, value] : names)
      if (spelling == name)
        return value;
    std::int64_t value = 0;
    [[maybe_unused]] const auto [end, error] =
        std::from_chars(name.data(), name.data() + name.size(), value);
    assert(error == std::errc() && end == name.data() + name.size());
    return static_cast<std::uint64_t>(value);
  }

  Operand parameter(char letter, Type type) {
    const std::size_t known = letters_.find(letter);
    const std::size_t index = std::min(known, letters_.size());
    if (known == std::string::npos) {
      letters_ += letter;
      program_.signature.parameters.push_back({type, {}});
    }
    return Operand::argument(type, index);
  }

  Operand instruction(std::string_view name) {
    Instruction made;
    const auto plain = corpus::findOpcode(name);
    const auto opcode =
        plain ? plain : corpus::findOpcode("llvm." + std::string(name));
    assert(opcode);
    made.opcode = *opcode;
    std::optional<Type> castTo;
    while (take(" ")) {
      const std::string_view said = word();
      if (said == "half")
        castTo = half_;
      else if (said == "bit")
        castTo = bits_;
      else
        modify(made, said);
    }
    const corpus::ShapeInfo &shape = corpus::info(corpus::info(*opcode).shape);
    std::vector<Operand> operands;
    std::optional<Type> t;
    std::optional<unsigned> number; ///< whose type a later operand says
    std::string_view text;          ///< from that number on
    for (unsigned i = 0; i < shape.operandCount(); ++i) {
      [[maybe_unused]] const bool goesOn = take(i == 0 ? "(" : ", ");
      assert(goesOn);
      const Place place = shape.operands[i];
      const std::string_view rest = text_;
      operands.push_back(expression(place == Place::immediateBit ? i1
                                    : place == Place::condition
                                        ? bits_
                                        : t.value_or(type_)));
      if (place != Place::value)
        continue;
      if (!operands.back().isLiteral())
        t = operands.back().type;
      else if (!t && !number) {
        number = i;
        text = rest;
      }
    }
    [[maybe_unused]] const bool ends = take(")");
    assert(ends);
    if (number && t && *t != type_) {
      const std::string_view behind = std::exchange(text_, text);
      operands[*number] = expression(*t);
      text_ = behind;
    }
    made.type = castTo.value_or(
        corpus::typeAt(shape.result, t.value_or(type_)).value_or(type_));
    return once(made, operands);
  }

  /// The instruction like that one which is there, or else it.
  Operand once(const Instruction &made, std::span<const Operand> operands) {
    const auto isLike = [&](const Instruction &other) {
      return other.opcode == made.opcode && other.type == made.type &&
             other.flags == made.flags && other.predicate == made.predicate &&
             std::ranges::equal(program_.operandsOf(other), operands);
    };
    const auto &all = program_.instructions;
    const auto there = std::find_if(all.begin(), all.end(), isLike);
    if (there == all.end())
      return program_.append(made, operands);
    return Operand::instruction(
        made.type, static_cast<std::uint64_t>(there - all.begin()));
  }

  static void modify(Instruction &made, std::string_view word) {
    for (const corpus::FlagInfo &row : corpus::flagTable)
      if (row.spelling == word) {
        made.flags = made.flags | row.flag;
        return;
      }
    const auto *const row = std::find_if(
        corpus::predicateTable.begin(), corpus::predicateTable.end(),
        [&](const corpus::PredicateInfo &info) {
          return info.spelling == word;
        });
    assert(row != corpus::predicateTable.end());
    made.predicate = row->predicate;
  }

  std::string_view text_; ///< what is left of it
  Type type_;
  Type bits_; ///< i1 for each lane of it
  Type half_; ///< half its width
  Program program_;
  std::string letters_; ///< of the parameters
};

} // namespace

Program makeExpression(std::string_view text, Type type) {
  assert(type.lane(0).isInteger() && type.lane(0).width() >= 2);
  return ExpressionReader(text, type).run();
}

Program makeFunction(std::string_view text, Type type) {
  Program function = makeExpression(text, type);
  const Type result = function.instructions.back().type;
  const auto last = function.instructions.size() - 1;
  function.signature.returnType = result;
  function.append(corpus::Opcode::ret, Type(),
                  {Operand::instruction(result, last)});
  return function;
}

} // namespace enumerate
