// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/intrinsics/meanings.h"

namespace checker::intrinsics {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
using corpus::Type;
using Mask = std::vector<std::optional<unsigned>>;

constexpr Opcode shl = Opcode::shl;
constexpr Opcode lshr = Opcode::lshr;
constexpr Opcode ashr = Opcode::ashr;
constexpr Opcode zext = Opcode::zext;
constexpr Opcode sext = Opcode::sext;
constexpr Opcode trunc = Opcode::trunc;
constexpr Opcode add = Opcode::add;
constexpr Opcode sub = Opcode::sub;
constexpr Opcode mul = Opcode::mul;
constexpr Opcode and_ = Opcode::and_;
constexpr Opcode or_ = Opcode::or_;
constexpr Opcode xor_ = Opcode::xor_;

const Type i64 = Type::integer(64);
constexpr unsigned blockBits = 128; ///< of what x86 repeats in wider registers

std::uint64_t ones(unsigned width) { return Type::integer(width).mask(); }

// Shifts (PSLL, PSRL, PSRA and the V forms): too far gives 0, or the sign.

/// Where there are wider lanes too far is not too far in those, and the amount
/// is used once.
template <Opcode opcode>
Operand shiftByLanes(Builder &b, Type result, Operands operands) {
  const auto [value, amount] = std::pair(operands[0], operands[1]);
  const Type lane = result.lane(0);
  const unsigned width = lane.width();
  if (opcode == ashr)
    return b.apply(ashr, value, b.apply(Opcode::umin, amount, width - 1));
  if (2 * width <= Type::maximumWidth) {
    const Type wide = Type::integer(2 * width);
    const Operand clamped = b.apply(Opcode::umin, amount, width);
    return b.resize(trunc,
                    b.apply(opcode, b.resize(zext, value, wide),
                            b.resize(zext, clamped, wide)),
                    lane);
  }
  const Operand isNear = b.compare(Predicate::ult, amount, width);
  const Operand zero = b.number(result, 0);
  return b.select(isNear,
                  b.apply(opcode, value, b.select(isNear, amount, zero)), zero);
}

/// All lanes by one scalar, of 32 bits or more.
template <Opcode opcode>
Operand shiftBy(Builder &b, Type result, Operand value, Operand amount) {
  const Type lane = result.lane(0);
  const Operand clamped = b.apply(Opcode::umin, amount, lane.width());
  const Operand sized = b.resize(
      amount.type.width() < lane.width() ? zext : trunc, clamped, lane);
  const Operand operands[] = {value, b.splat(result, sized)};
  return shiftByLanes<opcode>(b, result, operands);
}

template <Opcode opcode>
Operand shiftByNumber(Builder &b, Type result, Operands operands) {
  return shiftBy<opcode>(b, result, operands[0], operands[1]);
}

template <Opcode opcode>
Operand shiftByLowHalf(Builder &b, Type result, Operands operands) {
  const Operand halves = b.bitcast(operands[1], Type::vector(2, i64));
  return shiftBy<opcode>(b, result, operands[0], b.extract(halves, 0U));
}

// PACKSS, PACKUS: of each block the lanes of the first, then of the second.

enum class Range : bool { ofSigned, ofUnsigned };
constexpr Range signedly = Range::ofSigned;
constexpr Range unsignedly = Range::ofUnsigned;

template <Range range>
Operand packed(Builder &b, Type result, Operands operands) {
  const Type wide = operands[0].type;
  const unsigned perBlock = blockBits / wide.lane(0).width();
  Mask mask;
  for (unsigned block = 0; block < wide.lanes(); block += perBlock)
    for (const unsigned operand : {0U, wide.lanes()})
      for (unsigned i = 0; i < perBlock; ++i)
        mask.push_back(operand + block + i);
  const Operand both = b.shuffle(operands[0], operands[1], mask);
  const std::uint64_t all = result.lane(0).mask();
  const std::uint64_t most = range == signedly ? all >> 1 : all;
  const std::uint64_t least =
      range == signedly ? ~most & wide.lane(0).mask() : 0;
  const Operand atLeast = b.apply(Opcode::smax, both, least);
  return b.resize(trunc, b.apply(Opcode::smin, atLeast, most), result.lane(0));
}

// Products.

template <Opcode widen>
Operand longProduct(Builder &b, Type result, Operands operands) {
  const Type lane = result.lane(0);
  return b.apply(mul, b.resize(widen, operands[0], lane),
                 b.resize(widen, operands[1], lane));
}

Type twiceAsWide(Type type) {
  return type.withLanes(Type::integer(2 * type.lane(0).width()));
}

template <Opcode widen>
Operand highProduct(Builder &b, Type result, Operands operands) {
  const Operand product = longProduct<widen>(b, twiceAsWide(result), operands);
  return b.resize(trunc, b.apply(lshr, product, result.lane(0).width()),
                  result.lane(0));
}

/// PMULHRSW: bits 16 to 1 of the product without its low 14, plus 1.
Operand roundedHighProduct(Builder &b, Type result, Operands operands) {
  const Operand product = longProduct<sext>(b, twiceAsWide(result), operands);
  const Operand rounded = b.apply(add, b.apply(lshr, product, 14), 1);
  return b.resize(trunc, b.apply(lshr, rounded, 1), result.lane(0));
}

/// Every second lane.
Operand half(Builder &b, Operand vector, unsigned first) {
  Mask mask;
  for (unsigned i = first; i < vector.type.lanes(); i += 2)
    mask.push_back(i);
  return b.shuffle(vector, Operand::poison(vector.type), mask);
}

template <Opcode widenFirst>
Operand sumOfProducts(Builder &b, Type result, Operands operands,
                      Opcode opcode) {
  const auto product = [&](unsigned first) {
    const Type lane = result.lane(0);
    return b.apply(mul, b.resize(widenFirst, half(b, operands[0], first), lane),
                   b.resize(sext, half(b, operands[1], first), lane));
  };
  const Operand even = product(0);
  return b.apply(opcode, even, product(1));
}

/// PMADDWD
Operand dotProduct(Builder &b, Type result, Operands operands) {
  return sumOfProducts<sext>(b, result, operands, add);
}

/// PMADDUBSW
Operand saturatedDotProduct(Builder &b, Type result, Operands operands) {
  return sumOfProducts<zext>(b, result, operands, Opcode::saddSat);
}

// Permutations: by index lanes, of which only the low bits count.

/// Where all indices are literals, a shuffle of the tables; `entry` says what a
/// number means in a lane.
template <typename Entry>
std::optional<Mask> constantMask(const Builder &b, Operand indices,
                                 Entry entry) {
  Mask mask;
  for (unsigned i = 0; i < indices.type.lanes(); ++i) {
    const auto index = b.literal(indices, i);
    if (!index || index->is(Operand::Kind::undef))
      return std::nullopt;
    mask.push_back(index->is(Operand::Kind::poison)
                       ? std::nullopt
                       : std::optional<unsigned>(entry(i, index->payload)));
  }
  return mask;
}

/// `lane` of each number.
template <typename Lane> Operand byLane(Builder &b, Type result, Lane lane) {
  Operand vector = Operand::poison(result);
  for (unsigned i = 0; i < result.lanes(); ++i)
    vector = b.insert(vector, lane(i), i);
  return vector;
}

Operand permuted(Builder &b, Type result, Operands operands) {
  const Operand table = operands[0];
  const std::uint64_t last = result.lanes() - 1;
  const auto mask = constantMask(b, operands[1], [&](unsigned, auto index) {
    return static_cast<unsigned>(index & last);
  });
  if (mask)
    return b.shuffle(table, Operand::poison(table.type), *mask);
  return byLane(b, result, [&](unsigned i) {
    return b.extract(table, b.apply(and_, b.extract(operands[1], i), last));
  });
}

/// VPERMI2: the table, the indices, the other table.
Operand permutedOfTwo(Builder &b, Type result, Operands operands) {
  const std::uint64_t count = result.lanes();
  const auto mask = constantMask(b, operands[1], [&](unsigned, auto index) {
    return static_cast<unsigned>(index & (2 * count - 1));
  });
  if (mask)
    return b.shuffle(operands[0], operands[2], *mask);
  return byLane(b, result, [&](unsigned i) {
    const Operand index = b.extract(operands[1], i);
    const Operand place = b.apply(and_, index, count - 1);
    const Operand isFirst =
        b.compare(Predicate::eq, b.apply(and_, index, count), 0);
    return b.select(isFirst, b.extract(operands[0], place),
                    b.extract(operands[2], place));
  });
}

/// PSHUFB: within each block; 0 where the index has its high bit.
Operand shuffledBytes(Builder &b, Type result, Operands operands) {
  constexpr unsigned perBlock = blockBits / 8;
  const Operand zeros = b.number(result, 0);
  const auto first = [](unsigned lane) { return lane - lane % perBlock; };
  const auto mask = constantMask(b, operands[1], [&](unsigned i, auto index) {
    return (index & 0x80) != 0
               ? result.lanes()
               : first(i) + static_cast<unsigned>(index % perBlock);
  });
  if (mask)
    return b.shuffle(operands[0], zeros, *mask);
  return byLane(b, result, [&](unsigned i) {
    const Operand index = b.extract(operands[1], i);
    const Operand place =
        b.apply(or_, b.apply(and_, index, perBlock - 1), first(i));
    return b.select(b.compare(Predicate::slt, index, 0),
                    b.number(result.lane(0), 0), b.extract(operands[0], place));
  });
}

/// TBL, VTBL: 0 beyond the table.
Operand lookedUp(Builder &b, Type result, Operands operands) {
  const std::uint64_t count = operands[0].type.lanes();
  return byLane(b, result, [&](unsigned i) {
    const Operand index = b.extract(operands[1], i);
    return b.select(b.compare(Predicate::ult, index, count),
                    b.extract(operands[0], b.apply(and_, index, count - 1)),
                    b.number(result.lane(0), 0));
  });
}

/// PBLENDVB
Operand blended(Builder &b, Type, Operands operands) {
  return b.select(b.compare(Predicate::slt, operands[2], 0), operands[1],
                  operands[0]);
}

/// VPTERNLOG: bit (4 a + 2 b + c) of the number, for each bit.
Operand ternaryLogic(Builder &b, Type result, Operands operands) {
  const std::uint64_t table = operands[3].payload;
  const auto flipped = [&](Operand value) {
    return b.apply(xor_, value, ones(64));
  };
  std::optional<Operand> sum;
  for (unsigned row = 0; row < 4; ++row) {
    const std::uint64_t byThird = table >> (2 * row) & 3;
    if (byThird == 0)
      continue;
    const Operand first = (row & 2) != 0 ? operands[0] : flipped(operands[0]);
    const Operand second = (row & 1) != 0 ? operands[1] : flipped(operands[1]);
    Operand term = b.apply(and_, first, second);
    if (byThird != 3)
      term = b.apply(and_, term,
                     byThird == 2 ? operands[2] : flipped(operands[2]));
    sum = sum ? b.apply(or_, *sum, term) : term;
  }
  return sum.value_or(b.number(result, 0));
}

/// PMOVMSKB
Operand signBits(Builder &b, Type result, Operands operands) {
  const Operand bits = b.compare(Predicate::slt, operands[0], 0);
  return b.resize(
      zext, b.bitcast(bits, Type::integer(operands[0].type.lanes())), result);
}

/// VCTP: the first lanes, that many.
Operand firstLanes(Builder &b, Type result, Operands operands) {
  return byLane(b, result, [&](unsigned i) {
    return b.compare(Predicate::ugt, operands[0], i);
  });
}

// EXTRQ, INSERTQ: a field of the low half. The rest, and all of it where the
// field ends behind bit 63, is undefined: poison, which InstCombine makes of
// it.

struct Field {
  Operand first;
  Operand mask;   ///< of its length, at bit 0
  Operand exists; ///< it ends before bit 64
};

Field fieldOf(Builder &b, Operand length, Operand index) {
  const auto sixBits = [&](Operand value) {
    return b.apply(and_, b.resize(zext, value, i64), 63);
  };
  const Operand number = sixBits(length);
  const Operand all = b.number(i64, 64);
  const Operand bits =
      b.select(b.compare(Predicate::eq, number, 0), all, number);
  const Operand first = sixBits(index);
  return {first,
          b.apply(lshr, b.number(i64, ones(64)), b.apply(sub, all, bits)),
          b.compare(Predicate::ule, b.apply(add, first, bits), 64)};
}

Operand lowHalf(Builder &b, Type result, const Field &field, Operand value) {
  return b.insert(Operand::poison(result),
                  b.select(field.exists, value, Operand::poison(i64)), 0);
}

Operand extractedField(Builder &b, Type result, Operands operands) {
  const bool isImmediate = operands.size() == 3;
  const Operand length = isImmediate ? operands[1] : b.extract(operands[1], 0U);
  const Operand index = isImmediate ? operands[2] : b.extract(operands[1], 1U);
  const Field field = fieldOf(b, length, index);
  const Operand moved = b.apply(lshr, b.extract(operands[0], 0U), field.first);
  return lowHalf(b, result, field, b.apply(and_, moved, field.mask));
}

Operand insertedField(Builder &b, Type result, Operands operands) {
  const bool isImmediate = operands.size() == 4;
  const auto inHighHalf = [&](unsigned from) {
    return b.apply(lshr, b.extract(operands[1], 1U), from);
  };
  const Operand length = isImmediate ? operands[2] : inHighHalf(0);
  const Operand index = isImmediate ? operands[3] : inHighHalf(8);
  const Field field = fieldOf(b, length, index);
  const Operand place = b.apply(shl, field.mask, field.first);
  const Operand kept =
      b.apply(and_, b.extract(operands[0], 0U), b.apply(xor_, place, ones(64)));
  const Operand put = b.apply(
      shl, b.apply(and_, b.extract(operands[1], 0U), field.mask), field.first);
  return lowHalf(b, result, field, b.apply(or_, kept, put));
}

// BMI.

/// The value, of which the bits from `count` on are 0.
Operand lowBitsOf(Builder &b, Operand value, Operand count) {
  const unsigned width = value.type.width();
  const Operand isShort = b.compare(Predicate::ult, count, width);
  const Operand place =
      b.apply(shl, b.number(value.type, 1),
              b.select(isShort, count, b.number(value.type, 0)));
  return b.select(isShort, b.apply(and_, value, b.apply(sub, place, 1)), value);
}

/// BZHI
Operand lowBits(Builder &b, Type, Operands operands) {
  return lowBitsOf(b, operands[0], b.apply(and_, operands[1], 0xff));
}

/// BEXTR
Operand extractedBits(Builder &b, Type result, Operands operands) {
  const Operand start = b.apply(and_, operands[1], 0xff);
  const Operand length = b.apply(and_, b.apply(lshr, operands[1], 8), 0xff);
  const Operand shift[] = {operands[0], start};
  return lowBitsOf(b, shiftByLanes<lshr>(b, result, shift), length);
}

/// Of each bit of the mask: where it is, and how many are before it.
template <typename Move>
Operand byMask(Builder &b, Type result, Operands operands, Move move) {
  Operand sum = b.number(result, 0);
  Operand before = sum;
  for (unsigned i = 0; i < result.width(); ++i) {
    const Operand isSet = b.apply(and_, b.apply(lshr, operands[1], i), 1);
    sum = b.apply(or_, sum, move(b.number(result, i), before, isSet));
    before = b.apply(add, before, isSet);
  }
  return sum;
}

/// PEXT
Operand gatheredBits(Builder &b, Type result, Operands operands) {
  return byMask(b, result, operands,
                [&](Operand place, Operand before, Operand isSet) {
                  const Operand moved = b.apply(lshr, operands[0], place);
                  return b.apply(shl, b.apply(and_, moved, isSet), before);
                });
}

/// PDEP
Operand scatteredBits(Builder &b, Type result, Operands operands) {
  return byMask(b, result, operands,
                [&](Operand place, Operand before, Operand isSet) {
                  const Operand moved = b.apply(lshr, operands[0], before);
                  return b.apply(shl, b.apply(and_, moved, isSet), place);
                });
}

// Pointers.

/// LangRef, llvm.ptrmask: the pointer moved to its address without those bits.
Operand maskedPointer(Builder &b, Type, Operands operands) {
  const Operand address = b.address(operands[0]);
  const Operand masked = b.apply(and_, address, operands[1]);
  return b.move(operands[0], b.apply(sub, masked, address));
}

/// They say whom invariant.group metadata means, which nobody here reads.
Operand samePointer(Builder &, Type, Operands operands) { return operands[0]; }

constexpr Meaning meanings[] = {
#define TARGET_INTRINSIC(name, types, meaning) meaning,
#include "corpus/program/target.def"
#undef TARGET_INTRINSIC
};

} // namespace

Meaning meaningOf(std::size_t index) { return meanings[index]; }

} // namespace checker::intrinsics
