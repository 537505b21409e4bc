// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/expression.h"

#include "corpus/program/canonical.h"
#include "corpus/program/shape.h"
#include "enumerate/space.h"
#include "enumerate/vocabulary.h"

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
using corpus::Opcode;
using corpus::Operand;
using corpus::Place;
using corpus::Program;
using corpus::Type;

namespace {

/// Reads from left to right and appends instructions in the order in which they
/// are executed.
class ExpressionReader {
public:
  ExpressionReader(std::string_view text, Type type)
      : text_(text), type_(type), bits_(type.withLanes(Type::integer(1))),
        half_(type.withLanes(Type::integer(type.lane(0).width() / 2))),
        wide_(type.withLanes(Type::integer(
            std::min(2 * type.lane(0).width(), Type::maximumWidth)))) {
    program_.beginBlock();
  }

  Program oneExpression() {
    [[maybe_unused]] const Operand result = expression(type_);
    assert(result.is(Operand::Kind::instruction));
    return finish();
  }

  Program function() {
    findLabels();
    do
      statement();
    while (take("; "));
    for (const Later &later : later_)
      program_.operandsOf(program_.instructions[later.phi])[later.place] =
          *valueOf(later.name);
    const Instruction &last = program_.instructions.back();
    if (corpus::info(last.opcode).shape != corpus::Shape::terminator)
      returnValue(
          Operand::instruction(last.type, program_.instructions.size() - 1));
    return finish();
  }

private:
  static constexpr Type i1 = Type::integer(1);

  /// A value that is named behind the phi which takes it.
  struct Later {
    std::size_t phi;
    std::size_t place; ///< among its operands
    std::string_view name;
  };

  Program finish() {
    assert(text_.empty());
    corpus::renumberConstants(program_);
    return numberByDecision(program_);
  }

  /// Whether that comes next, which is then read.
  bool take(std::string_view wanted) {
    if (!text_.starts_with(wanted))
      return false;
    text_.remove_prefix(wanted.size());
    return true;
  }
  void expect(std::string_view wanted) {
    [[maybe_unused]] const bool isThere = take(wanted);
    assert(isThere);
  }

  std::string_view word() {
    const std::size_t length =
        std::min(text_.find_first_of(" (,)@:;"), text_.size());
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    return word;
  }

  void findLabels() {
    for (std::size_t colon = text_.find(": "); colon != text_.npos;
         colon = text_.find(": ", colon + 1)) {
      const std::size_t begin = text_.rfind(' ', colon) + 1;
      labels_.push_back(text_.substr(begin, colon - begin));
    }
  }

  Operand label() {
    const auto found = std::find(labels_.begin(), labels_.end(), word());
    assert(found != labels_.end());
    return Operand::block(static_cast<std::uint64_t>(found - labels_.begin()));
  }

  void statement() {
    statement_ = program_.instructions.size();
    std::string_view first = word();
    if (take(": ")) {
      program_.beginBlock();
      first = word();
    }
    if (take(" = ")) {
      defined_ = first;
      values_.emplace_back(first, instruction(word()));
    } else if (first == "br")
      branch();
    else if (first == "switch")
      switchOn();
    else if (first == "ret")
      take("()") ? returnValue(std::nullopt) : returnValue(operand());
    else if (first == "unreachable") {
      expect("()");
      append(Opcode::unreachable, {});
    } else if (first == "use")
      take("()") ? use(std::nullopt) : use(operand());
    else
      instruction(first);
  }

  void append(Opcode opcode, std::span<const Operand> operands) {
    program_.append(opcode, Type(), operands);
  }

  /// The one of a statement.
  Operand operand() {
    expect("(");
    const Operand value = expression(type_);
    expect(")");
    return value;
  }

  void branch() {
    expect("(");
    std::vector<Operand> operands;
    if (text_[std::min(text_.find_first_of(" (,)"), text_.size() - 1)] != ')') {
      operands.push_back(expression(i1));
      expect(", ");
      operands.push_back(label());
      expect(", ");
    }
    operands.push_back(label());
    expect(")");
    append(Opcode::br, operands);
  }

  void switchOn() {
    expect("(");
    std::vector<Operand> operands = {expression(type_)};
    const Type type = operands.front().type;
    expect(", ");
    operands.push_back(label());
    while (take(", ")) {
      operands.push_back(expression(type));
      expect("@");
      operands.push_back(label());
    }
    expect(")");
    append(Opcode::switch_, operands);
  }

  void returnValue(const std::optional<Operand> &value) {
    if (value)
      program_.signature.returnType = value->type;
    append(Opcode::ret, value ? std::vector{*value} : std::vector<Operand>());
  }

  void use(const std::optional<Operand> &value) {
    const auto operands = value ? std::vector{*value} : std::vector<Operand>();
    const corpus::Callee callee =
        calleeOf(value ? std::vector{value->type} : std::vector<Type>());
    auto &callees = program_.callees;
    const auto known = std::find(callees.begin(), callees.end(), callee);
    Instruction made;
    made.opcode = Opcode::call;
    made.callee = static_cast<std::uint32_t>(known - callees.begin());
    if (known == callees.end())
      callees.push_back(callee);
    program_.append(made, operands);
  }

  /// A number has the type that is `wanted`.
  Operand expression(Type wanted) {
    const std::string_view name = word();
    if (text_.starts_with(' ') || text_.starts_with('('))
      return instruction(name);
    if (const auto value = valueOf(name))
      return *value;
    if (name == "null")
      return Operand::null();
    if (name == "undef")
      return Operand::undef(wanted);
    if (name == "poison")
      return Operand::poison(wanted);
    if (name == "true" || name == "false")
      return constant(wanted == i1 ? i1 : bits_, name == "true" ? 1 : 0);
    return constant(wanted, number(name, wanted.lane(0)));
  }

  /// What is no literal, as far as it is known.
  std::optional<Operand> valueOf(std::string_view name) {
    for (const auto &[known, value] : values_)
      if (known == name)
        return value;
    if (name == "c" || name == "d")
      return parameter(name.front(), bits_);
    if (name == "n" || name == "m")
      return parameter(name.front(), half_);
    if (name == "x" || name == "y" || name == "z")
      return parameter(name.front(), type_);
    if (name == "p" || name == "q")
      return parameter(name.front(), Type::pointer());
    if (name == "u" || name == "v")
      return parameter(name.front(), Type::pointer(),
                       corpus::attribute::noalias);
    return std::nullopt;
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

  Operand parameter(char letter, Type type,
                    corpus::Attributes attributes = {}) {
    const std::size_t known = letters_.find(letter);
    const std::size_t index = std::min(known, letters_.size());
    if (known == std::string::npos) {
      letters_ += letter;
      program_.signature.parameters.push_back({type, std::move(attributes)});
    }
    return Operand::argument(type, index);
  }

  Operand instruction(std::string_view name) {
    Instruction made;
    const auto opcode = opcodeOf(name);
    assert(opcode);
    made.opcode = *opcode;
    std::optional<Type> castTo;
    while (take(" ")) {
      const std::string_view said = word();
      if (said == "half")
        castTo = half_;
      else if (said == "bit")
        castTo = bits_;
      else if (said == "wide")
        castTo = wide_;
      else if (said == "ptr")
        castTo = Type::pointer();
      else
        modify(made, said);
    }
    if (*opcode == Opcode::phi) {
      made.type = castTo.value_or(type_);
      return phi(made);
    }
    const corpus::OpcodeInfo &row = corpus::info(*opcode);
    if (row.has(corpus::trait::alignment))
      made.alignment = 1;
    if (row.has(corpus::trait::accessedType))
      made.accessedType = type_;
    if (row.shape == corpus::Shape::address)
      return address(made);
    const corpus::ShapeInfo &shape = corpus::info(row.shape);
    std::vector<Operand> operands;
    std::optional<Type> t;
    std::optional<unsigned> number; ///< whose type a later operand says
    std::string_view text;          ///< from that number on
    for (unsigned i = 0; i < shape.operandCount(); ++i) {
      const Place place = shape.operands[i];
      if (place == Place::immediateFalse) {
        operands.push_back(Operand::constant(i1, 0));
        continue;
      }
      expect(i == 0 ? "(" : ", ");
      const std::string_view rest = text_;
      const Type wanted = t.value_or(type_);
      operands.push_back(
          expression(place == Place::condition ? bits_
                     : place == Place::length
                         ? Type::integer(64)
                         : corpus::typeAt(place, wanted).value_or(wanted)));
      if (place != Place::value)
        continue;
      if (!operands.back().isLiteral())
        t = operands.back().type;
      else if (!t && !number) {
        number = i;
        text = rest;
      }
    }
    expect(")");
    if (number && t && *t != type_) {
      const std::string_view behind = std::exchange(text_, text);
      operands[*number] = expression(*t);
      text_ = behind;
    }
    const Type worksOn = t.value_or(type_);
    if (shape.result == Place::element)
      made.type = worksOn.element(static_cast<unsigned>(operands[1].payload));
    else if (shape.result != Place::nothing)
      made.type = castTo.value_or(
          corpus::typeAt(shape.result, worksOn).value_or(type_));
    return row.has(corpus::trait::accessesMemory) || *opcode == Opcode::alloca_
               ? program_.append(made, operands)
               : once(made, operands);
  }

  /// Those whose names are long have short ones here.
  static std::optional<Opcode> opcodeOf(std::string_view name) {
    if (name == "gep")
      return Opcode::getelementptr;
    if (name == "begin")
      return Opcode::lifetimeStart;
    if (name == "end")
      return Opcode::lifetimeEnd;
    const auto plain = corpus::findOpcode(name);
    return plain ? plain : corpus::findOpcode("llvm." + std::string(name));
  }

  /// Of an index that counts values of type T.
  Operand address(Instruction made) {
    made.type = Type::pointer();
    expect("(");
    const Operand base = expression(made.type);
    expect(", ");
    const Operand index = expression(type_);
    expect(")");
    return once(made, std::vector{base, index,
                                  Operand::constant(Type::integer(64),
                                                    corpus::storeSize(type_))});
  }

  Operand phi(const Instruction &made) {
    const std::size_t index = program_.instructions.size();
    std::vector<Operand> operands;
    expect("(");
    do {
      const std::string_view rest = text_;
      const std::string_view name = word();
      if (isNamedLater(name)) {
        later_.push_back({index, operands.size(), name});
        operands.emplace_back();
      } else {
        text_ = rest;
        operands.push_back(expression(made.type));
      }
      expect("@");
      operands.push_back(label());
    } while (take(", "));
    expect(")");
    return program_.append(made, operands);
  }

  /// Whether that is this statement's name or one's that is not read yet.
  bool isNamedLater(std::string_view name) const {
    return name == defined_ ||
           text_.find(" " + std::string(name) + " = ") != text_.npos;
  }

  /// The instruction of this statement like that one, or else it.
  Operand once(const Instruction &made, std::span<const Operand> operands) {
    const auto isLike = [&](const Instruction &other) {
      return other.opcode == made.opcode && other.type == made.type &&
             other.flags == made.flags && other.predicate == made.predicate &&
             other.attributes == made.attributes &&
             std::ranges::equal(program_.operandsOf(other), operands);
    };
    const auto &all = program_.instructions;
    const auto there =
        std::find_if(all.begin() + static_cast<std::ptrdiff_t>(statement_),
                     all.end(), isLike);
    if (there == all.end())
      return program_.append(made, operands);
    return Operand::instruction(
        made.type, static_cast<std::uint64_t>(there - all.begin()));
  }

  void modify(Instruction &made, std::string_view word) {
    if (word == "noundef") {
      made.attributes =
          static_cast<std::uint32_t>(program_.callAttributes.size());
      program_.callAttributes.emplace_back().result.add(
          corpus::attribute::noundef);
      return;
    }
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
  Type wide_; ///< twice its width
  Program program_;
  std::string letters_;                              ///< of the parameters
  std::vector<std::string_view> labels_ = {"entry"}; ///< by block
  std::vector<std::pair<std::string_view, Operand>> values_; ///< by name
  std::string_view defined_;                                 ///< the last name
  std::vector<Later> later_;
  std::size_t statement_ = 0; ///< first instruction of this one
};

} // namespace

Program makeExpression(std::string_view text, Type type) {
  assert(type.lane(0).isInteger() && type.lane(0).width() >= 2);
  return ExpressionReader(text, type).oneExpression();
}

Program makeFunction(std::string_view text, Type type) {
  assert(type.lane(0).isInteger() && type.lane(0).width() >= 2);
  return ExpressionReader(text, type).function();
}

} // namespace enumerate
