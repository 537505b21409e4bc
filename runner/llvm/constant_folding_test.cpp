// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checker says an instruction computes, against LLVM's own constant
// folder and APInt, which nobody here wrote: every opcode and every set of
// flags, on all operands of i1 to i4 (and poison and undef). Built once per
// release.
#include "checker/lane_ops/concrete.h"
#include "corpus/program/print.h"
#include "corpus/program/shape.h"
#include "runner/llvm/lower.h"
#include "runner/llvm/release.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/ADT/APInt.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>

#include <set>

namespace runner {
namespace {

using checker::Element;
using checker::ElementResult;
using checker::ValueSet;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Shape;
using corpus::Type;
using llvm::APInt;

constexpr unsigned widest = 4;

/// One instruction on arguments, and what it returns.
struct Row {
  Program program;
  checker::Operation operation;
  std::vector<Type> operands;
  unsigned values = 0; ///< of the operands; what follows are numbers only
};

/// How an instruction of a shape is typed, all ways up to i4.
struct Typing {
  std::vector<Type> operands;
  Type result;
};

std::vector<Typing> typingsOf(const corpus::OpcodeInfo &info) {
  std::vector<Typing> typings;
  const Type i1 = Type::integer(1);
  for (unsigned width = 1; width <= widest; ++width) {
    const Type t = Type::integer(width);
    const auto withResults = [&](unsigned least, unsigned most,
                                 const std::vector<Type> &operands) {
      for (unsigned result = least; result <= most; ++result)
        typings.push_back({operands, Type::integer(result)});
    };
    switch (info.shape) {
    case Shape::binary:
    case Shape::intrinsicBinary:
      typings.push_back({{t, t}, t});
      break;
    case Shape::intrinsicUnary:
      if (info.opcode != Opcode::bswap)
        typings.push_back({{t}, t});
      else if (width == 1)
        typings.push_back({{Type::integer(16)}, Type::integer(16)});
      break;
    case Shape::intrinsicUnaryWithFlag:
      typings.push_back({{t, i1}, t});
      break;
    case Shape::intrinsicTernary:
      typings.push_back({{t, t, t}, t});
      break;
    case Shape::compare:
      typings.push_back({{t, t}, i1});
      break;
    case Shape::select:
      typings.push_back({{i1, t, t}, t});
      break;
    case Shape::widen:
      withResults(width + 1, widest + 1, {t});
      break;
    case Shape::narrow:
      withResults(1, width - 1, {t});
      break;
    case Shape::intrinsicThreeWay:
      withResults(2, widest, {t, t});
      break;
    case Shape::intrinsicOverflow:
      typings.push_back({{t, t}, Type::overflowPair(width)});
      break;
    default:
      break; // no value of numbers alone: noValue has it by name
    }
  }
  return typings;
}

/// What has no result that follows from numbers, or is tested with the others
/// (extractvalue).
const std::set<Opcode> noValue = {Opcode::freeze,
                                  Opcode::extractvalue,
                                  Opcode::assume,
                                  Opcode::phi,
                                  Opcode::call,
                                  Opcode::ret,
                                  Opcode::br,
                                  Opcode::switch_,
                                  Opcode::unreachable,
                                  Opcode::alloca_,
                                  Opcode::load,
                                  Opcode::store,
                                  Opcode::getelementptr,
                                  Opcode::ptrtoint,
                                  Opcode::inttoptr,
                                  Opcode::ptrtoaddr,
                                  Opcode::memcpy_,
                                  Opcode::memmove_,
                                  Opcode::memset_,
                                  Opcode::lifetimeStart,
                                  Opcode::lifetimeEnd};

/// Of those only scalars have a table.
bool movesLanes(Shape shape) {
  return shape == Shape::insert || shape == Shape::reinterpret ||
         corpus::info(shape).types == corpus::kind::vectors;
}

std::vector<Row> rowsOf(const corpus::OpcodeInfo &info) {
  std::vector<Row> rows;
  for (unsigned bits = 0; bits < 64; ++bits) {
    const corpus::Flags flags(static_cast<std::uint8_t>(bits));
    if (!info.allowedFlags.has(flags))
      continue;
    for (const Typing &typing : typingsOf(info))
      for (const corpus::PredicateInfo &predicate : corpus::predicateTable) {
        if (info.shape != Shape::compare &&
            predicate.predicate != corpus::Predicate::eq)
          continue;
        Row row;
        row.operands = typing.operands;
        row.values = static_cast<unsigned>(typing.operands.size());
        std::vector<Operand> operands;
        for (const Type type : typing.operands)
          operands.push_back(row.program.addParameter(type));
        if (info.shape == Shape::intrinsicUnaryWithFlag) {
          operands.back() = Operand::constant(Type::integer(1), 0);
          row.program.signature.parameters.pop_back();
          row.values = 1;
        }
        Operand result = row.program.append(
            info.opcode, typing.result, operands, flags, predicate.predicate);
        row.operation =
            checker::operationOf(row.program, row.program.instructions.front());
        if (info.shape == Shape::intrinsicOverflow)
          result = row.program.append(
              Opcode::extractvalue, typing.operands[0],
              {result, Operand::constant(Type::integer(32), 0)});
        row.program.signature.returnType = result.type;
        row.program.append(Opcode::ret, Type(), {result});
        EXPECT_EQ(corpus::verify(row.program), std::nullopt)
            << corpus::printModule(row.program);
        rows.push_back(std::move(row));
      }
  }
  return rows;
}

/// One operand: a number, or undef, or poison.
struct Given {
  llvm::Constant *constant;
  ValueSet set;
};

ValueSet numbersOf(Type type) {
  ValueSet set;
  for (std::uint64_t bits = 0; bits <= type.mask(); ++bits)
    set.push_back(Element::number(bits));
  return set;
}

std::vector<Given> givenOf(llvm::LLVMContext &context, Type type,
                           bool numbersOnly) {
  auto *integer = llvm::IntegerType::get(context, type.width());
  std::vector<Given> result;
  for (const Element &number : numbersOf(type))
    result.push_back({llvm::ConstantInt::get(integer, number.bits), {number}});
  if (!numbersOnly) {
    result.push_back({llvm::UndefValue::get(integer), numbersOf(type)});
    result.push_back(
        {llvm::PoisonValue::get(integer), {Element::poisonOf(type)}});
  }
  return result;
}

/// What LLVM's constant stands for; nothing if it is no plain value.
std::optional<ValueSet> setOf(const llvm::Constant &constant, Type type) {
  if (llvm::isa<llvm::PoisonValue>(constant))
    return ValueSet{Element::poisonOf(type)};
  if (llvm::isa<llvm::UndefValue>(constant) && type.isInteger())
    return numbersOf(type);
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return ValueSet{Element::number(number->getZExtValue())};
  if (!type.isOverflowPair() || constant.getAggregateElement(1U) == nullptr)
    return std::nullopt;
  const auto first =
      setOf(*constant.getAggregateElement(0U), Type::integer(type.width()));
  const auto second =
      setOf(*constant.getAggregateElement(1U), Type::integer(1));
  if (!first || !second)
    return std::nullopt;
  ValueSet result = withLane(*first, *second);
  normalise(result);
  return result;
}

/// What LLVM says, of numbers alone where its folder leaves that to APInt;
/// nothing where it does not know.
std::optional<ValueSet> theirAnswer(const checker::Operation &operation,
                                    llvm::Instruction &built) {
  const llvm::DataLayout layout("");
  if (const llvm::Constant *folded =
          llvm::ConstantFoldInstruction(&built, layout))
    return setOf(*folded, operation.type);
  if (operation.opcode != Opcode::sshlSat &&
      operation.opcode != Opcode::ushlSat)
    return std::nullopt;
  const auto *a = llvm::dyn_cast<llvm::ConstantInt>(built.getOperand(0));
  const auto *b = llvm::dyn_cast<llvm::ConstantInt>(built.getOperand(1));
  if (a == nullptr || b == nullptr || b->getValue().uge(operation.type.width()))
    return std::nullopt;
  const APInt result = operation.opcode == Opcode::sshlSat
                           ? a->getValue().sshl_sat(b->getValue())
                           : a->getValue().ushl_sat(b->getValue());
  return ValueSet{Element::number(result.getZExtValue())};
}

/// What the checker says; nothing for undefined behaviour.
std::optional<ValueSet> ourAnswer(const Row &row,
                                  std::span<const Given *const> given) {
  ValueSet result;
  std::vector<std::vector<Element>> picks(1);
  for (const Given *each : given) {
    std::vector<std::vector<Element>> longer;
    for (const auto &prefix : picks)
      for (const Element &element : each->set) {
        longer.push_back(prefix);
        longer.back().push_back(element);
      }
    picks = std::move(longer);
  }
  for (const std::vector<Element> &pick : picks) {
    const ElementResult one = evaluate(row.operation, {}, pick);
    if (one.kind == ElementResult::Kind::ub)
      return std::nullopt;
    EXPECT_EQ(one.kind, ElementResult::Kind::element);
    result.push_back(one.element);
  }
  normalise(result);
  return result;
}

/// By LLVM's arithmetic: whether numbers break one of the flags.
bool breaksFlags(const checker::Operation &operation,
                 std::span<const Given *const> given) {
  const auto number = [&](std::size_t i) {
    return llvm::cast<llvm::ConstantInt>(given[i]->constant)->getValue();
  };
  const APInt a = number(0);
  const APInt b = given.size() > 1 ? number(1) : a;
  const corpus::Flags flags = operation.flags;
  const auto has = [&](corpus::Flags flag) { return flags.has(flag); };
  const auto wraps =
      [&](APInt (APInt::*unsignedly)(const APInt &, bool &) const,
          APInt (APInt::*signedly)(const APInt &, bool &) const) {
        bool u = false;
        bool s = false;
        static_cast<void>((a.*unsignedly)(b, u));
        static_cast<void>((a.*signedly)(b, s));
        return (u && has(corpus::flag::nuw)) || (s && has(corpus::flag::nsw));
      };
  const unsigned width = operation.type.width();
  switch (operation.opcode) {
  case Opcode::add:
    return wraps(&APInt::uadd_ov, &APInt::sadd_ov);
  case Opcode::sub:
    return wraps(&APInt::usub_ov, &APInt::ssub_ov);
  case Opcode::mul:
    return wraps(&APInt::umul_ov, &APInt::smul_ov);
  case Opcode::shl:
    return wraps(&APInt::ushl_ov, &APInt::sshl_ov);
  case Opcode::udiv:
    return has(corpus::flag::exact) && a.urem(b) != 0;
  case Opcode::sdiv:
    return has(corpus::flag::exact) && a.srem(b) != 0;
  case Opcode::lshr:
  case Opcode::ashr:
    return has(corpus::flag::exact) &&
           a.countTrailingZeros() < b.getZExtValue();
  case Opcode::or_:
    return has(corpus::flag::disjoint) && a.intersects(b);
  case Opcode::icmp:
    return has(corpus::flag::samesign) && a.isNegative() != b.isNegative();
  case Opcode::zext:
    return has(corpus::flag::nneg) && a.isNegative();
  case Opcode::trunc:
    return (has(corpus::flag::nuw) && !a.isIntN(width)) ||
           (has(corpus::flag::nsw) && !a.isSignedIntN(width));
  default:
    EXPECT_TRUE(flags.empty()) << corpus::info(operation.opcode).spelling;
    return false;
  }
}

/// To LLVM 13, -1 * -1 does not overflow in one bit.
bool isMissedBy13(const checker::Operation &operation,
                  std::span<const Given *const> given) {
  if (release::number != 13)
    return false;
  return ((operation.opcode == Opcode::mul &&
           operation.flags.has(corpus::flag::nsw)) ||
          operation.opcode == Opcode::smulOverflow) &&
         operation.operandType == Type::integer(1) &&
         given[0]->set.front().bits == 1 && given[1]->set.front().bits == 1;
}

struct Counts {
  unsigned numbers = 0; ///< operands that are all numbers, and defined
  unsigned folded = 0;  ///< of these
  unsigned others = 0;  ///< operands with undef or poison that LLVM folds
};

void compare(const Row &row, const Program &program, llvm::Instruction &built,
             Counts &counts) {
  std::vector<std::vector<Given>> lists;
  for (std::size_t i = 0; i < row.operands.size(); ++i)
    lists.push_back(
        givenOf(built.getContext(), row.operands[i], i >= row.values));
  std::vector<const Given *> given(lists.size());
  const auto visit = [&](auto &&next, std::size_t at) -> void {
    if (testing::Test::HasFatalFailure())
      return;
    if (at < lists.size()) {
      for (const Given &each : lists[at]) {
        given[at] = &each;
        built.setOperand(static_cast<unsigned>(at), each.constant);
        next(next, at + 1);
      }
      return;
    }
    const auto what = [&] {
      std::string text = corpus::printInstruction(program, 0) + " of";
      for (std::size_t i = 0; i < given.size(); ++i)
        text += " " + format(given[i]->set, row.operands[i]);
      return text;
    };
    const auto theirs = theirAnswer(row.operation, built);
    const auto ours = ourAnswer(row, given);
    const bool areNumbers =
        std::all_of(given.begin(), given.end(), [](const Given *each) {
          return llvm::isa<llvm::ConstantInt>(each->constant);
        });
    if (!areNumbers) {
      counts.others += theirs ? 1 : 0;
      if (ours && theirs) {
        ASSERT_TRUE(refines(*theirs, *ours))
            << what() << ": LLVM says " << format(*theirs, row.operation.type)
            << ", we say " << format(*ours, row.operation.type);
      }
      return;
    }
    // What is undefined, LLVM knows no number for.
    const bool isNumber = theirs && theirs->size() == 1 && !hasPoison(*theirs);
    if (!ours) {
      // Of i1, -1 / -1 overflows, but to the folder it is a division by 1.
      const bool isByOne = row.operation.type == Type::integer(1) &&
                           given[1]->set.front().bits == 1;
      ASSERT_TRUE(isByOne || !isNumber) << what();
      return;
    }
    if (isMissedBy13(row.operation, given))
      return;
    const bool isBroken = breaksFlags(row.operation, given);
    if (hasPoison(*ours)) {
      // The folder looks at some flags only.
      ASSERT_TRUE(isBroken || !isNumber) << what();
      return;
    }
    ASSERT_FALSE(isBroken) << what();
    ++counts.numbers;
    counts.folded += theirs ? 1 : 0;
    if (theirs) {
      ASSERT_EQ(format(*theirs, row.operation.type),
                format(*ours, row.operation.type))
          << what();
    }
  };
  visit(visit, 0);
}

TEST(ConstantFolding, SaysWhatTheCheckerSays) {
  llvm::LLVMContext context;
  Lowerer lowerer(context);
  unsigned lacking = 0;
  Counts total;
  for (const corpus::OpcodeInfo &info : corpus::opcodeTable()) {
    const std::vector<Row> rows = rowsOf(info);
    EXPECT_EQ(rows.empty(),
              noValue.contains(info.opcode) || movesLanes(info.shape))
        << info.spelling;
    Counts counts;
    for (const Row &row : rows) {
      if (lackOf(row.program)) {
        ++lacking;
        continue;
      }
      llvm::Module module("test", context);
      lowerer.start(module);
      llvm::Function &function = lowerer.lower(row.program, "f");
      compare(row, row.program, function.getEntryBlock().front(), counts);
      if (HasFatalFailure())
        return;
    }
    // A release that has the opcode folds all numbers; none is left out. Only
    // llvm.expect waits for LowerExpectIntrinsic.
    EXPECT_EQ(counts.folded,
              info.opcode == corpus::Opcode::expect ? 0 : counts.numbers)
        << info.spelling;
    total.numbers += counts.numbers;
    total.folded += counts.folded;
    total.others += counts.others;
  }
  std::printf("[ COUNTED  ] LLVM %u: %u operands that are numbers, %u with "
              "undef or poison; %u instructions are newer than it\n",
              release::number, total.folded, total.others, lacking);
  EXPECT_GT(total.folded, 40'000U);
  EXPECT_GT(total.others, 5'000U);
}

} // namespace
} // namespace runner
