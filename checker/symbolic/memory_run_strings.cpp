// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions on strings as a whole: those that look for one in another,
// read numbers, or copy what fits. C17 7.24.5, 7.22.1 and 7.24.3.1; of strlcpy
// that of the BSDs.
#include "checker/symbolic/memory_run.h"

#include "checker/memory/memory.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace checker::smt {

using corpus::LibraryAction;
using corpus::LibraryFunction;
using z3::expr;

namespace {

/// What strtol and its like make of a text.
struct Parsed {
  bool isNegative = false;
  std::uint64_t magnitude = 0;
  std::size_t length = 0; ///< of what was read; 0 if there is no number
};

/// Nothing where that is for the C library to say: another base than C has, a
/// binary prefix, or more than 64 bits.
std::optional<Parsed> parse(std::string_view text, std::uint64_t base) {
  constexpr std::uint64_t largestBase = 36;
  constexpr std::string_view spaces = " \t\n\v\f\r";
  if (base == 1 || base > largestBase)
    return std::nullopt;
  std::size_t at = std::min(text.find_first_not_of(spaces), text.size());
  Parsed result;
  if (at < text.size() && (text[at] == '-' || text[at] == '+'))
    result.isNegative = text[at++] == '-';
  const std::string_view digits = text.substr(at);
  const auto hasPrefix = [&](char small, char large) {
    return digits.size() > 1 && digits[0] == '0' &&
           (digits[1] == small || digits[1] == large);
  };
  if (hasPrefix('b', 'B') && (base == 0 || base == 2))
    return std::nullopt;
  const bool isHexadecimal =
      hasPrefix('x', 'X') && (base == 0 || base == 16) && digits.size() > 2 &&
      std::string_view("0123456789abcdefABCDEF").find(digits[2]) !=
          std::string_view::npos;
  if (isHexadecimal) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = digits.starts_with('0') ? 8 : 10;
  }
  const char *begin = text.data() + at;
  const auto [end, error] =
      std::from_chars(begin, text.data() + text.size(), result.magnitude,
                      static_cast<int>(base));
  if (error == std::errc::result_out_of_range)
    return std::nullopt;
  if (error == std::errc())
    result.length = static_cast<std::size_t>(end - text.data());
  return result;
}

} // namespace

void MemoryRun::searchingCall(std::size_t index,
                              const LibraryFunction &function) {
  const LibraryOperands given = libraryOperands(index, function);
  if (!lack_.empty())
    return;
  const String text = readString(given.places[0]);
  const String other = readString(given.places[1]);
  if (!lack_.empty())
    return;
  const auto isInSet = [&](const expr &byte) {
    expr result = no_;
    for (std::size_t j = 0; j < other.bytes.size(); ++j)
      result = either(result, both(other.isInside[j],
                                   (other.bytes[j].bits == byte).simplify()));
    return result;
  };
  const auto isAt = [&](std::size_t i) {
    expr result = i == 0 ? yes_ : text.isInside[i - 1];
    for (std::size_t j = 0; j < other.bytes.size(); ++j) {
      const expr isSame =
          i + j < text.bytes.size()
              ? both(text.isInside[i + j],
                     (text.bytes[i + j].bits == other.bytes[j].bits).simplify())
              : no_;
      result = both(result, either(negate(other.isInside[j]), isSame));
    }
    return result;
  };
  expr at = text.length;
  expr isFound = no_;
  for (std::size_t i = text.bytes.size(); i-- > 0;) {
    const bool isWhole = function.action == LibraryAction::findString;
    expr decides = isWhole ? isAt(i) : isInSet(text.bytes[i].bits);
    if (function.action == LibraryAction::span)
      decides = negate(decides);
    if (!isWhole)
      decides = both(text.isInside[i], decides);
    decides = decides.simplify();
    at = choose(decides, number(i, addressWidth), at);
    isFound = either(isFound, decides).simplify();
  }
  Value result = integer({at, no_});
  if (function.action == LibraryAction::findAny ||
      function.action == LibraryAction::findString)
    result = foundAt(given.places[0], at, isFound);
  returnFromLibrary(index, std::move(result));
}

/// Of a text that is known, byte for byte.
MemoryRun::Value MemoryRun::numberIn(std::size_t index,
                                     const LibraryFunction &function,
                                     const LibraryOperands &given) {
  constexpr std::uint64_t usual = 10;
  const unsigned width = program_.instructions[index].type.width();
  Value result = integer({number(0, width), no_});
  const String string = readString(given.places[0]);
  const expr base = function.base == LibraryFunction::noOperand
                        ? number(usual, width)
                        : given.numbers[0].term.bits;
  std::string text;
  for (std::size_t i = 0; i < string.bytes.size(); ++i) {
    const expr &byte = string.bytes[i].bits;
    if (!byte.is_numeral())
      fail("the number that an unknown text is");
    else if (byte.get_numeral_uint64() != 0)
      text += static_cast<char>(byte.get_numeral_uint64());
  }
  if (!base.is_numeral())
    fail("a number of unknown base");
  if (!lack_.empty())
    return result;
  const auto parsed = parse(text, base.get_numeral_uint64());
  const std::uint64_t largest = (std::uint64_t(1) << (width - 1)) - 1;
  if (!parsed || (!function.isUnsigned &&
                  parsed->magnitude > largest + parsed->isNegative)) {
    fail("a text that may be no number, or too large a one");
    return result;
  }
  result.term.bits = number(
      parsed->isNegative ? -parsed->magnitude : parsed->magnitude, width);
  if (function.rest == LibraryFunction::noOperand)
    return result;
  const Value &to = given.places[1];
  const expr before = guard_;
  guard_ =
      both(guard_, either(to.term.poison, negate(testedForNull(*to.pointer))))
          .simplify();
  if (!guard_.is_false()) {
    Value rest = given.places[0];
    rest.pointer = moved(*rest.pointer, parsed->length);
    rest.term.bits = rest.pointer->offset;
    storePointer(rest, to, addressWidth / byteBits);
  }
  guard_ = before;
  return result;
}

/// As much as fits with a 0 behind it; what there is in all.
MemoryRun::Value MemoryRun::copyFitting(std::size_t index,
                                        const LibraryFunction &function,
                                        const LibraryOperands &given) {
  const auto operands = program_.operandsOf(program_.instructions[index]);
  const Value &to = given.places[0];
  const String text = readString(given.places[1]);
  const expr room = definedNumber(operands[function.size]);
  const expr zero = number(0, byteBits);
  const expr one = number(1, addressWidth);
  const expr isAny = (room != number(0, addressWidth)).simplify();
  const expr copied =
      z3::ite(z3::ult(text.length, room), text.length, room - one).simplify();
  const expr before = guard_;
  guard_ = both(before, isAny).simplify();
  if (!guard_.is_false()) {
    const expr written = (copied + one).simplify();
    access(to, written, 1, true);
    refuseOverlap(to, given.places[1], written, (text.length + one).simplify(),
                  yes_);
    const expr isMade = guard_;
    for (std::size_t i = 0; i < text.bytes.size(); ++i) {
      guard_ =
          both(isMade, z3::ult(number(i, addressWidth), copied)).simplify();
      if (!guard_.is_false())
        write(moved(*to.pointer, i), text.bytes[i], {}, to.basedOn);
    }
    guard_ = isMade;
    SymbolicPointer end = *to.pointer;
    end.offset = (end.offset + copied).simplify();
    write(end, {zero, zero, zero, number(0, tagWidth)}, {}, to.basedOn);
  }
  guard_ = before;
  return integer({text.length, no_});
}

/// Behind the string that is there.
MemoryRun::Value MemoryRun::append(std::size_t index,
                                   const LibraryFunction &function,
                                   const LibraryOperands &given) {
  Value end = given.places[0];
  const String string = readString(end);
  end.pointer->offset = (end.pointer->offset + string.length).simplify();
  end.term.bits = end.pointer->offset;
  if (lack_.empty())
    copyUntil(index, function, end, given.places[1], number(0, byteBits));
  return given.places[0];
}

} // namespace checker::smt
