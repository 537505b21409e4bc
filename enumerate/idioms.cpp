// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/idioms.h"

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

std::span<const IdiomInfo> idiomTable() {
  using namespace family;
  static constexpr IdiomInfo table[] = {
      {"sub(0, x)", "negation", idioms | masks},
      {"sub nsw(0, x)", "negation of what is not the least"},
      {"xor(x, -1)", "complement", idioms | masks},
      {"xor(c, true)", "complement of a condition", idioms | conditions},
      {"add(x, 1)", "increment", idioms | masks},
      {"add nsw(x, 1)", "increment of what is not the greatest"},
      {"add(x, -1)", "decrement", idioms | masks},
      {"add nuw(x, -1)", "decrement, which only 0 survives"},
      {"mul(x, -1)", "negation by a product"},
      {"shl(x, 1)", "twice"},
      {"lshr(x, 1)", "half"},
      {"lshr(x, last)", "the sign as a number", idioms | masks},
      {"ashr(x, last)", "the sign in all bits", idioms | masks},
      {"and(x, 1)", "whether it is odd", idioms | masks},
      {"and(x, min)", "the sign in its place", idioms | masks},
      {"and(x, max)", "all but the sign"},
      {"xor(x, min)", "the other sign"},
      {"shl(1, x)", "a bit", idioms | masks},
      {"shl nuw(1, x)", "a bit that is there", idioms | masks},
      {"shl(-1, x)", "all bits from one on", idioms | masks},
      {"lshr(-1, x)", "the low bits", idioms | masks},
      {"lshr(min, x)", "a bit from above", idioms | masks},
      {"add(shl(1, x), -1)", "all bits below one", idioms | masks},
      {"add(shl nuw(1, x), -1)", "all bits below one that is there"},
      {"xor(shl(-1, x), -1)", "all bits below one, by complement",
       idioms | masks},
      {"lshr(-1, sub(last, x))", "all bits up to one", idioms | masks},
      {"and(x, sub(0, x))", "lowest bit that is set", idioms | masks},
      {"and(x, add(x, -1))", "without the lowest bit that is set",
       idioms | masks},
      {"or(x, add(x, -1))", "with all bits below the lowest that is set"},
      {"xor(x, add(x, -1))", "all bits up to the lowest that is set",
       idioms | masks},
      {"and(x, xor(y, -1))", "bits that another lacks", idioms | masks},
      {"or(x, xor(y, -1))", "or of a complement", idioms | masks},
      {"xor(and(x, y), -1)", "nand", idioms | masks},
      {"xor(or(x, y), -1)", "nor", idioms | masks},
      {"xor(xor(x, y), -1)", "where both agree", idioms | masks},
      {"xor(and(xor(x, y), z), y)", "bits of either, by a mask",
       idioms | masks},
      {"or(and(x, z), and(y, xor(z, -1)))", "the same by a mask and the rest"},
      {"shl(lshr(x, y), y)", "without the low bits", idioms | masks},
      {"lshr(shl(x, y), y)", "without the high bits", idioms | masks},
      {"ashr(shl(x, y), y)", "the low bits with a sign", idioms | masks},
      {"or(shl(x, y), lshr(x, sub(width, y)))", "rotation"},
      {"or(shl(x, y), lshr(z, sub(width, y)))", "shift of a pair"},
      {"and(lshr(x, y), 1)", "a bit as a number", idioms | masks},
      {"icmp ne(and(x, shl(1, y)), 0)", "whether a bit is set"},
      {"icmp eq(and(x, shl(1, y)), 0)", "whether a bit is clear"},
      {"icmp eq(and(x, y), 0)", "no bit in common", idioms | conditions},
      {"icmp eq(and(x, y), y)", "all bits of another", idioms | conditions},
      {"icmp ne(x, 0)", "not 0", idioms | conditions},
      {"icmp eq(x, 0)", "0", idioms | conditions},
      {"icmp eq(x, -1)", "all bits", idioms | conditions},
      {"icmp eq(x, min)", "the least", idioms | conditions},
      {"icmp slt(x, 0)", "below 0", idioms | conditions},
      {"icmp sgt(x, -1)", "not below 0", idioms | conditions},
      {"icmp slt(xor(x, y), 0)", "different signs", idioms | conditions},
      {"icmp eq(sub(x, y), 0)", "no difference"},
      {"icmp ult(add(x, y), x)", "whether a sum wraps", idioms | conditions},
      {"icmp ugt(x, xor(y, -1))", "the same without the sum",
       idioms | conditions},
      {"icmp ugt(sub(x, y), x)", "whether a difference wraps"},
      {"icmp ult(add(x, y), z)", "in a range", idioms | conditions},
      {"icmp ult(ctpop(x), 2)", "a power of two, or 0"},
      {"icmp eq(ctpop(x), 1)", "a power of two"},
      {"xor(ctlz(x, true), last)", "logarithm"},
      {"sub(last, ctlz(x, false))", "logarithm, -1 of 0"},
      {"select(icmp eq(x, 0), y, cttz(x, true))", "trailing zeros, or else"},
      {"select(c, d, false)", "and that stops", idioms | conditions},
      {"select(c, true, d)", "or that stops", idioms | conditions},
      {"select(c, x, 0)", "this or 0", idioms | conditions},
      {"select(c, 0, x)", "0 or this", idioms | conditions},
      {"select(c, x, -1)", "this or all bits", idioms | conditions},
      {"select(c, 1, -1)", "1 or -1", idioms | conditions},
      {"select(icmp slt(x, y), x, y)", "smin by comparison",
       idioms | conditions},
      {"select(icmp slt(x, y), y, x)", "smax by comparison",
       idioms | conditions},
      {"select(icmp ult(x, y), x, y)", "umin by comparison",
       idioms | conditions},
      {"select(icmp ult(x, y), y, x)", "umax by comparison",
       idioms | conditions},
      {"select(icmp eq(x, y), z, x)", "a value replaced", idioms | conditions},
      {"select(icmp slt(x, 0), sub(0, x), x)", "abs by comparison"},
      {"select(icmp slt(x, 0), sub nsw(0, x), x)", "abs of all but the least"},
      {"select(icmp sgt(x, -1), sub(0, x), x)", "abs, negated"},
      {"select(c, x, sub(0, x))", "either sign"},
      {"select(c, x, sub nsw(0, x))", "either sign of all but the least"},
      {"xor(x, sext(c))", "complement if", idioms | conditions},
      {"and(x, sext(c))", "this or 0, by a mask", idioms | conditions},
      {"mul(x, zext(c))", "this or 0, by a product"},
      {"mul(x, select(c, 1, -1))", "either sign, by a product"},
      {"add(x, zext(c))", "increment if", idioms | conditions},
      {"sub(x, zext(c))", "decrement if", idioms | conditions},
      {"add(x, sext(c))", "decrement if, by all bits", idioms | conditions},
      {"select(icmp ult(x, y), 0, sub(x, y))", "difference, at least 0"},
      {"sub(umax(x, y), y)", "the same by umax"},
      {"add(umin(x, xor(y, -1)), y)", "sum, at most all bits"},
      {"sub(zext(icmp sgt(x, y)), zext(icmp slt(x, y)))", "three ways"},
      {"sub(x, mul(udiv(x, y), y))", "remainder by a quotient"},
      {"sub(x, mul(sdiv(x, y), y))", "remainder by a quotient with a sign"},
      {"add(and(x, y), lshr(xor(x, y), 1))", "average"},
      {"xor(x, ashr(x, last))", "complement of what is below 0",
       idioms | masks},
      {"and(ashr(x, last), y)", "another one of what is below 0"},
      {"or(x, sub(0, x))", "all bits from the lowest that is set on",
       idioms | masks},
      {"add(xor(x, -1), 1)", "negation by complement"},
      {"sub(xor(x, -1), y)", "difference from a complement", idioms | masks},
      {"and(or(x, y), xor(and(x, y), -1))", "xor by and and or"},
      {"sub(or(x, y), and(x, y))", "xor by a difference", idioms | masks},
      {"add(and(x, y), or(x, y))", "sum by and and or"},
      {"sub(or(x, y), y)", "bits that another lacks, by a difference",
       idioms | masks},
      {"or(and(x, y), z)", "some bits beside others", idioms | masks},
      {"and(x, shl(-1, y))", "the high bits of a value", idioms | masks},
      {"and(x, lshr(-1, y))", "the low bits of a value", idioms | masks},
      {"udiv(x, shl(1, y))", "quotient by a power of two"},
      {"urem(x, shl(1, y))", "remainder by a power of two"},
      {"sdiv exact(shl nsw(x, y), x)", "a power of two by a quotient"},
      {"mul(x, shl(1, y))", "product with a power of two"},
      {"shl(shl(x, y), z)", "shift by two amounts", idioms | masks},
      {"lshr(lshr(x, y), z)", "the same to the right", idioms | masks},
      {"ashr(ashr(x, y), z)", "the same with a sign", idioms | masks},
      {"ashr exact(shl nsw(x, y), y)", "there and back"},
      {"icmp eq(urem(x, y), 0)", "whether it divides"},
      {"icmp eq(srem(x, y), 0)", "whether it divides, with a sign"},
      {"icmp ult(x, shl(1, y))", "fewer bits"},
      {"icmp eq(or(x, y), 0)", "both 0", idioms | conditions},
      {"icmp slt(or(x, y), 0)", "either below 0", idioms | conditions},
      {"icmp slt(and(x, y), 0)", "both below 0", idioms | conditions},
      {"icmp eq(x, sub(0, x))", "0 or the least"},
      {"icmp ugt(add nuw(x, y), z)", "a sum compared"},
      {"icmp slt(sub nsw(x, y), z)", "a difference compared"},
      {"icmp eq(usub.sat(x, y), 0)", "not above"},
      {"icmp eq(ctlz(x, false), width)", "0 by its leading zeros"},
      {"select(icmp eq(and(x, y), 0), z, x)", "by a bit"},
      {"select(icmp eq(and(x, 1), 0), y, z)", "by the lowest bit"},
      {"select(icmp ult(x, y), z, x)", "a value that is not below"},
      {"select(icmp slt(x, 0), -1, 1)", "sign", idioms | conditions},
      {"select(icmp slt(x, y), sub(y, x), sub(x, y))", "distance"},
      {"select(icmp ult(x, y), sub(y, x), sub(x, y))",
       "distance without a sign"},
      {"abs(sub nsw(x, y), false)", "distance by abs"},
      {"smin(smax(x, y), z)", "between two"},
      {"umin(umax(x, y), z)", "between two without a sign"},
      {"sub(smax(x, y), smin(x, y))", "distance by the two"},
      {"smax(x, 0)", "at least 0"},
      {"umin(x, 1)", "at most 1"},
      {"fshl(x, x, y)", "rotation by one instruction"},
      {"and(c, xor(d, true))", "and not", idioms | conditions},
      {"or(c, xor(d, true))", "or not", idioms | conditions},
      {"select(c, xor(d, true), false)", "and not, that stops",
       idioms | conditions},
      {"select(c, d, xor(d, true))", "whether two conditions agree",
       idioms | conditions},
      {"icmp ne(and(x, y), 0)", "a bit in common", conditions},
      {"icmp ne(and(x, y), y)", "not all bits of another", conditions},
      {"icmp eq(and(x, y), z)", "bits as another's", conditions},
      {"icmp ne(and(x, y), z)", "bits not as another's", conditions},
      {"icmp eq(and(x, 1), 0)", "even", conditions},
      {"icmp ne(and(x, 1), 0)", "odd", conditions},
      {"icmp ne(and(x, min), 0)", "below 0, by a mask", conditions},
      {"icmp sgt(x, 0)", "above 0", conditions},
      {"icmp slt(x, 1)", "not above 0", conditions},
      {"icmp ult(x, 2)", "0 or 1", conditions},
      {"icmp ugt(x, 1)", "neither 0 nor 1", conditions},
      {"icmp ugt(x, max)", "below 0, without a sign", conditions},
      {"icmp eq(x, 1)", "1", conditions},
      {"icmp ne(x, 1)", "not 1", conditions},
      {"icmp ne(x, -1)", "not all bits", conditions},
      {"icmp ult(xor(x, -1), y)", "whether a sum wraps, by complement",
       conditions},
      {"icmp eq(x, select(c, x, y))", "whether it was chosen", conditions},
      {"zext(icmp eq(x, 0))", "whether 0, as a number", conditions},
      {"zext(icmp ne(x, 0))", "whether not 0, as a number", conditions},
      {"zext(icmp slt(x, 0))", "whether below 0, as a number", conditions},
      {"zext(icmp sgt(x, 0))", "whether above 0, as a number", conditions},
      {"zext(icmp eq(x, y))", "whether equal, as a number", conditions},
      {"zext(icmp ult(x, y))", "whether below, as a number", conditions},
      {"sext(icmp eq(x, 0))", "whether 0, as a mask", conditions},
      {"sext(icmp ne(x, 0))", "whether not 0, as a mask", conditions},
      {"sext(icmp slt(x, y))", "whether below, as a mask", conditions},
      {"xor(zext(c), 1)", "a condition's complement, as a number", conditions},
      {"and(icmp ne(x, 0), icmp ne(y, 0))", "neither is 0", conditions},
      {"or(icmp eq(x, 0), icmp eq(y, 0))", "one is 0", conditions},
      {"and(icmp eq(x, 0), icmp eq(y, 0))", "both are 0", conditions},
      {"and(icmp eq(x, 0), icmp ne(y, 0))", "one is 0 and the other is not",
       conditions},
      {"select(icmp ne(x, 0), icmp ne(y, 0), false)",
       "neither is 0, that stops", conditions},
      {"select(icmp eq(x, 0), true, icmp eq(y, 0))", "one is 0, that stops",
       conditions},
      {"and(icmp slt(x, y), icmp ne(x, z))", "two comparisons of one value",
       conditions},
      {"or(icmp ult(x, y), icmp eq(x, z))", "one of two comparisons of a value",
       conditions},
      {"or(icmp eq(x, y), icmp eq(x, z))", "one of two values", conditions},
      {"and(icmp ne(x, y), icmp ne(x, z))", "none of two values", conditions},
      {"select(icmp eq(x, y), true, icmp eq(x, z))", "one of two, that stops",
       conditions},
      {"select(icmp ne(x, y), icmp ne(x, z), false)", "none of two, that stops",
       conditions},
      {"and(icmp sgt(x, -1), icmp slt(x, y))", "in a range from 0", conditions},
      {"xor(or(c, d), true)", "neither", conditions},
      {"xor(and(c, d), true)", "not both", conditions},
      {"xor(select(c, true, d), true)", "neither, that stops", conditions},
      {"xor(select(c, d, false), true)", "not both, that stops", conditions},
      {"select(xor(c, true), true, d)", "or not, that stops", conditions},
      {"select(xor(c, true), d, false)", "and not, of the first", conditions},
      {"select(icmp eq(x, 0), y, z)", "by whether it is 0", conditions},
      {"select(icmp eq(x, 0), 0, y)", "0 stays, or else", conditions},
      {"select(icmp ne(x, 0), y, 0)", "the same by not 0", conditions},
      {"select(icmp sgt(x, 0), x, 0)", "at least 0, by comparison", conditions},
      {"select(icmp slt(x, 0), x, 0)", "at most 0, by comparison", conditions},
      {"select(icmp slt(x, 0), y, z)", "by its sign", conditions},
      {"select(icmp eq(x, y), 0, select(icmp slt(x, y), -1, 1))",
       "three ways, by comparisons", conditions},
      {"or(and(x, y), xor(z, -1))", "some bits, or a complement", masks},
      {"xor(and(x, y), z)", "some bits turned", masks},
      {"xor(or(x, y), z)", "of either, turned", masks},
      {"or(xor(x, y), z)", "bits that differ, and others", masks},
      {"and(xor(x, y), z)", "of the bits that differ", masks},
      {"and(or(x, y), z)", "of the bits of either", masks},
      {"and(shl(1, x), y)", "a bit of another", masks},
      {"and(lshr(x, y), z)", "a field", masks},
      {"and(shl(x, y), z)", "a field, further up", masks},
      {"or(shl(x, y), z)", "a field put beside another", masks},
      {"or(lshr(x, y), z)", "the same from above", masks},
      {"lshr(and(x, y), z)", "a mask, then a shift", masks},
      {"shl(and(x, y), z)", "the same to the left", masks},
      {"shl(add(x, y), z)", "a sum shifted", masks},
      {"add(shl(x, y), z)", "something added to a shift", masks},
      {"shl(ashr(x, y), z)", "shifts both ways", masks},
      {"shl(x, sub(width, y))", "the other half of a rotation", masks},
      {"lshr(x, sub(width, y))", "the same to the right", masks},
      {"xor(ashr(x, y), -1)", "complement of a shift", masks},
      {"xor(lshr(x, y), -1)", "the same without a sign", masks},
      {"add(xor(x, -1), y)", "difference less 1, by complement", masks},
      {"add(x, xor(y, -1))", "the same, the other way around", masks},
      {"add(and(x, y), z)", "something added to some bits", masks},
      {"and(add(x, y), z)", "some bits of a sum", masks},
      {"and(add(x, -1), y)", "bits below, of another", masks},
      {"and(sub(0, x), y)", "of the bits of a negation", masks},
      {"add(shl(1, x), 1)", "a bit and the lowest one", masks},
      {"sub(-1, x)", "complement by a difference", masks},
      {"sub(x, and(x, y))", "bits that another lacks, by subtraction", masks},
      {"sub(last, x)", "from the other end", masks},
  };
  return table;
}

namespace {

/// Reads an expression from left to right, which appends its instructions in
/// the order in which they are executed.
class Reader {
public:
  Reader(std::string_view text, Type type)
      : text_(text), type_(type), bits_(type.withLanes(i1)) {
    program_.blocks.push_back({0, 0});
  }

  Program run() {
    [[maybe_unused]] const Operand result = expression(type_);
    assert(text_.empty() && result.is(Operand::Kind::instruction));
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
    if (name == "x" || name == "y" || name == "z")
      return parameter(name.front(), type_);
    if (name == "true" || name == "false")
      return constant(wanted == i1 ? i1 : bits_, name == "true" ? 1 : 0);
    return constant(wanted, number(name));
  }

  /// The same in all lanes of a vector.
  Operand constant(Type type, std::uint64_t number) {
    const Operand lane =
        Operand::constant(type.lane(0), number & type.lane(0).mask());
    return type.isVector()
               ? program_.literal(type, std::vector(type.lanes(), lane))
               : lane;
  }

  std::uint64_t number(std::string_view name) const {
    const Type lane = type_.lane(0);
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
    while (take(" "))
      modify(made, word());
    const corpus::ShapeInfo &shape = corpus::info(corpus::info(*opcode).shape);
    std::vector<Operand> operands;
    std::optional<Type> t;
    for (unsigned i = 0; i < shape.operandCount(); ++i) {
      [[maybe_unused]] const bool goesOn = take(i == 0 ? "(" : ", ");
      assert(goesOn);
      const Place place = shape.operands[i];
      operands.push_back(expression(place == Place::immediateBit ? i1
                                    : place == Place::condition
                                        ? bits_
                                        : t.value_or(type_)));
      if (place == Place::value && !operands.back().isLiteral())
        t = operands.back().type;
    }
    [[maybe_unused]] const bool ends = take(")");
    assert(ends);
    const Type worksOn = t.value_or(type_);
    made.type = corpus::typeAt(shape.result, worksOn).value_or(type_);
    return program_.append(made, operands);
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
  Program program_;
  std::string letters_; ///< of the parameters
};

} // namespace

std::vector<Program> withHoles(const Program &idiom,
                               std::span<const Operand> holes) {
  std::vector<Program> programs;
  for (std::size_t i = 0; i < idiom.operands.size(); ++i) {
    const Operand &operand = idiom.operands[i];
    if (!operand.is(Operand::Kind::pooled))
      continue;
    const corpus::Constant constant = idiom.constants[operand.payload];
    for (const Operand &hole : holes)
      for (std::size_t lane = 0; lane < constant.lanes.size(); ++lane) {
        std::vector<Operand> lanes = constant.lanes;
        lanes[lane] = {hole.kind, lanes[lane].type, 0};
        Program &made = programs.emplace_back(idiom);
        made.operands[i] = made.literal(constant.type, std::move(lanes));
        corpus::renumberConstants(made);
      }
  }
  return programs;
}

Program makeIdiom(const IdiomInfo &idiom, Type type) {
  assert(type.lane(0).isInteger() && type.lane(0).width() >= 2);
  return Reader(idiom.text, type).run();
}

} // namespace enumerate
