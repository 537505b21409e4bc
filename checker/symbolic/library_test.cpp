// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions that read and copy, on constant bytes, against the C
// library itself: what it does refines the call, and nothing else does.
#include "checker/symbolic/memory_smt.h"

#include "corpus/program/print.h"
#include "corpus/program/program.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>

namespace checker {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i8 = Type::integer(8);
const Type i32 = Type::integer(32);
const Type i64 = Type::integer(64);
const Type pointer = Type::pointer();

using Bytes = std::array<unsigned char, 4>; ///< the last one is 0

Operand addBytes(Program &program, const char *name, const Bytes &bytes) {
  program.globals.push_back(
      {name, i8, bytes.size(), 1, true, {bytes.begin(), bytes.end()}});
  return Operand::global(program.globals.size() - 1);
}

/// Returns what the function does, of these bytes and the rest.
Program callOf(const char *name, Type result, const Bytes &a, const Bytes *b,
               const std::vector<Operand> &rest) {
  Program program;
  program.signature.returnType = result;
  corpus::Callee callee{name, {}};
  callee.signature.returnType = result;
  std::vector<Operand> operands = {addBytes(program, "a", a)};
  if (b != nullptr)
    operands.push_back(addBytes(program, "b", *b));
  operands.insert(operands.end(), rest.begin(), rest.end());
  for (const Operand &operand : operands)
    callee.signature.parameters.push_back({operand.type, {}});
  program.callees.push_back(callee);
  const Operand value = program.append(Opcode::call, result, operands);
  program.append(Opcode::ret, Type(), {value});
  return program;
}

/// Returns a number; or, as a pointer, that far in `a`, or null.
Program constant(Type result, std::int64_t number, const Bytes &a) {
  Program program;
  program.signature.returnType = result;
  Operand value = Operand::null();
  if (!result.isPointer())
    value = Operand::constant(result, static_cast<std::uint64_t>(number) &
                                          result.mask());
  else if (number >= 0)
    value = program.append(
        Opcode::getelementptr, pointer,
        {addBytes(program, "a", a),
         Operand::constant(i64, static_cast<std::uint64_t>(number)),
         Operand::constant(i64, 1)});
  program.append(Opcode::ret, Type(), {value});
  return program;
}

unsigned checked = 0;

void expect(const Program &source, std::int64_t right, std::int64_t wrong,
            const Bytes &a) {
  const Type result = source.signature.returnType;
  ASSERT_EQ(corpus::verify(source), std::nullopt) << printModule(source);
  const auto verdictOf = [&](std::int64_t number) {
    return checkMemorySymbolically(source, constant(result, number, a),
                                   *parseSemantics("llvm"), false);
  };
  EXPECT_EQ(verdictOf(right).word, VerdictWord::refines)
      << printModule(source) << right;
  EXPECT_EQ(verdictOf(wrong).word, VerdictWord::wrong)
      << printModule(source) << wrong;
  ++checked;
}

std::int64_t placeOf(const void *found, const Bytes &a) {
  return found == nullptr
             ? -1
             : static_cast<const unsigned char *>(found) - a.data();
}

TEST(Library, IsWhatTheCLibraryDoes) {
  std::mt19937_64 random(1);
  constexpr std::array<unsigned char, 4> letters = {0, 1, 0x80, 0xff};
  const auto draw = [&] {
    Bytes bytes{};
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i)
      bytes[i] = letters[random() % letters.size()];
    return bytes;
  };
  for (unsigned round = 0; round < 30; ++round) {
    const Bytes a = draw();
    Bytes b = draw();
    if (round % 2 == 0)
      std::copy_n(a.begin(), 2, b.begin());
    const auto *s = reinterpret_cast<const char *>(a.data());
    const auto *t = reinterpret_cast<const char *>(b.data());
    const std::uint64_t n = random() % 5;
    // Converted to a byte.
    const int c = letters[random() % letters.size()] + 0x300;
    const Operand length = Operand::constant(i64, n);
    const Operand byte = Operand::constant(i32, static_cast<unsigned>(c));
    const auto number = [&](const char *name, std::uint64_t is,
                            const std::vector<Operand> &rest) {
      const auto right = static_cast<std::int64_t>(is);
      expect(callOf(name, i64, a, nullptr, rest), right, right + 1, a);
    };
    const auto place = [&](const char *name, const void *found,
                           const std::vector<Operand> &rest) {
      const std::int64_t right = placeOf(found, a);
      expect(callOf(name, pointer, a, nullptr, rest), right, right == 1 ? 2 : 1,
             a);
    };
    const auto sign = [&](const char *name, int is,
                          const std::vector<Operand> &rest) {
      expect(callOf(name, i32, a, &b, rest),
             is == 0  ? 0
             : is < 0 ? -5
                      : 5,
             is < 0 ? 0 : -1, a);
    };
    const auto span = [&](const char *name, std::uint64_t is) {
      const auto right = static_cast<std::int64_t>(is);
      expect(callOf(name, i64, a, &b, {}), right, right + 1, a);
    };
    const auto placeOfSome = [&](const char *name, const void *found) {
      const std::int64_t right = placeOf(found, a);
      expect(callOf(name, pointer, a, &b, {}), right, right == 1 ? 2 : 1, a);
    };
    span("strspn", std::strspn(s, t));
    span("strcspn", std::strcspn(s, t));
    placeOfSome("strpbrk", std::strpbrk(s, t));
    placeOfSome("strstr", std::strstr(s, t));
    number("strlen", std::strlen(s), {});
    number("strnlen", strnlen(s, n), {length});
    place("memchr", std::memchr(s, c, n), {byte, length});
    place("memrchr", memrchr(s, c, n), {byte, length});
    place("strchr", std::strchr(s, c), {byte});
    place("strrchr", std::strrchr(s, c), {byte});
    sign("strcmp", std::strcmp(s, t), {});
    sign("strncmp", std::strncmp(s, t, n), {length});
    sign("memcmp", std::memcmp(s, t, n), {length});
  }
  EXPECT_EQ(checked, 390U);
}

constexpr std::uint64_t endOfFilled = 2;

/// A local of eight bytes, filled up to a 0, then the copy; returns byte `at`
/// of it, or, with nothing, whether the result is the place `is` of it, or
/// null.
Program copying(const char *name, const Bytes &from,
                const std::vector<Operand> &rest,
                std::optional<std::uint64_t> at, std::int64_t is) {
  Program program;
  program.signature.returnType = i8;
  corpus::Instruction local;
  local.opcode = Opcode::alloca_;
  local.type = pointer;
  local.accessedType = i8;
  local.alignment = 1;
  const Operand to =
      program.append(local, std::array{Operand::constant(i64, 8)});
  program.append(Opcode::memset_, Type(),
                 {to, Operand::constant(i8, 0x55), Operand::constant(i64, 8),
                  Operand::constant(Type::integer(1), 0)});
  const Operand end = program.append(
      Opcode::getelementptr, pointer,
      {to, Operand::constant(i64, endOfFilled), Operand::constant(i64, 1)});
  corpus::Instruction store;
  store.opcode = Opcode::store;
  store.alignment = 1;
  program.append(store, std::array{Operand::constant(i8, 0), end});
  std::vector<Operand> operands = {to};
  if (std::string_view(name) != "memset")
    operands.push_back(addBytes(program, "a", from));
  operands.insert(operands.end(), rest.begin(), rest.end());
  corpus::Callee callee{name, {}};
  callee.signature.returnType = pointer;
  for (const Operand &operand : operands)
    callee.signature.parameters.push_back({operand.type, {}});
  program.callees.push_back(callee);
  const Operand result = program.append(Opcode::call, pointer, operands);
  const auto placeAt = [&](std::uint64_t offset) {
    return program.append(
        Opcode::getelementptr, pointer,
        {to, Operand::constant(i64, offset), Operand::constant(i64, 1)});
  };
  Operand returned = result;
  if (at) {
    corpus::Instruction load;
    load.opcode = Opcode::load;
    load.type = i8;
    load.alignment = 1;
    returned = program.append(load, std::array{placeAt(*at)});
  } else {
    const Operand other =
        is < 0 ? Operand::null() : placeAt(static_cast<std::uint64_t>(is));
    const Operand same =
        program.append(Opcode::icmp, Type::integer(1), {result, other});
    returned = program.append(Opcode::zext, i8, {same});
  }
  program.append(Opcode::ret, Type(), {returned});
  return program;
}

TEST(Library, CopiesWhatTheCLibraryCopies) {
  std::mt19937_64 random(2);
  constexpr std::array<unsigned char, 3> letters = {0, 1, 0xff};
  unsigned copied = 0;
  for (unsigned round = 0; round < 12; ++round) {
    Bytes from{};
    for (std::size_t i = 0; i + 1 < from.size(); ++i)
      from[i] = letters[random() % letters.size()];
    const auto *s = reinterpret_cast<const char *>(from.data());
    const std::uint64_t n = random() % 7;
    const int c = letters[random() % letters.size()] + 0x300;
    const Operand length = Operand::constant(i64, n);
    const Operand byte = Operand::constant(i32, static_cast<unsigned>(c));
    const auto expectOf = [&](const char *name, const auto &copy,
                              const std::vector<Operand> &rest) {
      std::array<char, 8> to{};
      to.fill(0x55);
      to[endOfFilled] = 0;
      const char *result = static_cast<const char *>(copy(to.data()));
      const std::int64_t place = result == nullptr ? -1 : result - to.data();
      const auto verdictOf = [&](const Program &source, unsigned char is) {
        EXPECT_EQ(corpus::verify(source), std::nullopt);
        return checkMemorySymbolically(source, constant(i8, is, from),
                                       *parseSemantics("llvm"), false)
            .word;
      };
      for (std::uint64_t at = 0; at < to.size(); ++at) {
        const Program source = copying(name, from, rest, at, 0);
        const auto is = static_cast<unsigned char>(to[at]);
        EXPECT_EQ(verdictOf(source, is), VerdictWord::refines)
            << printModule(source) << unsigned(is);
        EXPECT_EQ(verdictOf(source, is ^ 1), VerdictWord::wrong);
      }
      const Program source = copying(name, from, rest, std::nullopt, place);
      EXPECT_EQ(verdictOf(source, 1), VerdictWord::refines)
          << printModule(source) << place;
      EXPECT_EQ(verdictOf(source, 0), VerdictWord::wrong);
      ++copied;
    };
    expectOf("strcpy", [&](char *to) { return std::strcpy(to, s); }, {});
    expectOf("stpcpy", [&](char *to) { return stpcpy(to, s); }, {});
    expectOf("strcat", [&](char *to) { return std::strcat(to, s); }, {});
    expectOf("strncpy", [&](char *to) { return std::strncpy(to, s, n); },
             {length});
    expectOf("stpncpy", [&](char *to) { return stpncpy(to, s, n); }, {length});
    if (n <= from.size() || std::memchr(s, c & 0xff, from.size()) != nullptr)
      expectOf("memccpy", [&](char *to) { return memccpy(to, s, c, n); },
               {byte, length});
    if (n > from.size())
      continue;
    expectOf("memcpy", [&](char *to) { return std::memcpy(to, s, n); },
             {length});
    expectOf("mempcpy", [&](char *to) { return mempcpy(to, s, n); }, {length});
    expectOf("memmove", [&](char *to) { return std::memmove(to, s, n); },
             {length});
    expectOf("memset", [&](char *to) { return std::memset(to, c, n); },
             {byte, length});
    const Operand limit = Operand::constant(i64, round % 2 == 0 ? n : ~0ULL);
    expectOf("__memcpy_chk", [&](char *to) { return std::memcpy(to, s, n); },
             {length, limit});
    expectOf("__mempcpy_chk", [&](char *to) { return mempcpy(to, s, n); },
             {length, limit});
    expectOf("__memmove_chk", [&](char *to) { return std::memmove(to, s, n); },
             {length, limit});
  }
  EXPECT_GT(copied, 80U);
}

/// A call of a function whose result is a number, on a text; returns that, or
/// whether what it stores is the place `end` of the text.
Program parsing(const char *name, std::string_view text, Type result,
                std::optional<unsigned> base,
                std::optional<std::uint64_t> end) {
  Program program;
  program.signature.returnType = end ? Type::integer(1) : result;
  program.globals.push_back(
      {"a", i8, text.size() + 1, 1, true, {text.begin(), text.end()}});
  program.globals.back().contents.push_back(0);
  std::vector<Operand> operands = {Operand::global(0)};
  Operand rest = Operand::null();
  if (end) {
    corpus::Instruction local;
    local.opcode = Opcode::alloca_;
    local.type = local.accessedType = pointer;
    local.alignment = 8;
    rest = program.append(local, std::array{Operand::constant(i64, 1)});
  }
  if (base) {
    operands.push_back(rest);
    operands.push_back(Operand::constant(i32, *base));
  }
  corpus::Callee callee{name, {}};
  callee.signature.returnType = result;
  for (const Operand &operand : operands)
    callee.signature.parameters.push_back({operand.type, {}});
  program.callees.push_back(callee);
  Operand returned = program.append(Opcode::call, result, operands);
  if (end) {
    corpus::Instruction load;
    load.opcode = Opcode::load;
    load.type = pointer;
    load.alignment = 8;
    const Operand stored = program.append(load, std::array{rest});
    const Operand place =
        program.append(Opcode::getelementptr, pointer,
                       {Operand::global(0), Operand::constant(i64, *end),
                        Operand::constant(i64, 1)});
    returned = program.append(Opcode::icmp, Type::integer(1), {stored, place});
  }
  program.append(Opcode::ret, Type(), {returned});
  return program;
}

TEST(Library, ReadsNumbersAsTheCLibraryDoes) {
  const auto verdictOf = [](const Program &source, std::uint64_t is) {
    EXPECT_EQ(corpus::verify(source), std::nullopt) << printModule(source);
    Program target;
    const Type type = target.signature.returnType = source.signature.returnType;
    target.globals = source.globals;
    target.append(Opcode::ret, Type(),
                  {Operand::constant(type, is & type.mask())});
    return checkMemorySymbolically(source, target, *parseSemantics("llvm"),
                                   false)
        .word;
  };
  for (const char *text :
       {"", "0", "12", " \t-7x", "+5", "0x1f", "0x", "0xg", "017", "089", "z1",
        "- 1", "9223372036854775807", "-9223372036854775808", "-1"})
    for (const unsigned base : {0U, 2U, 8U, 10U, 16U, 36U}) {
      char *end = nullptr;
      errno = 0;
      const std::int64_t is = std::strtoll(text, &end, static_cast<int>(base));
      if (errno == ERANGE)
        continue; // sets errno, which no engine knows
      const auto number = static_cast<std::uint64_t>(is);
      const auto length = static_cast<std::uint64_t>(end - text);
      for (const char *name : {"strtol", "strtoll"}) {
        const Program source = parsing(name, text, i64, base, std::nullopt);
        EXPECT_EQ(verdictOf(source, number), VerdictWord::refines)
            << text << " in base " << base;
        EXPECT_EQ(verdictOf(source, number + 1), VerdictWord::wrong);
      }
      EXPECT_EQ(verdictOf(parsing("strtoull", text, i64, base, std::nullopt),
                          std::strtoull(text, nullptr, static_cast<int>(base))),
                VerdictWord::refines)
          << text << " in base " << base;
      const Program source = parsing("strtol", text, i64, base, length);
      EXPECT_EQ(verdictOf(source, 1), VerdictWord::refines)
          << printModule(source);
      EXPECT_EQ(verdictOf(source, 0), VerdictWord::wrong);
    }
  const Program small = parsing("atoi", "-2147483648", i32, {}, {});
  EXPECT_EQ(verdictOf(small, 0x80000000), VerdictWord::refines);
  const Program large = parsing("atoi", "2147483648", i32, {}, {});
  EXPECT_EQ(verdictOf(large, 0x80000000), VerdictWord::unsupported);
}

/// strlcpy as the BSDs have it; not every C library has it.
std::uint64_t fitted(char *to, const char *from, std::uint64_t room) {
  const std::uint64_t length = std::strlen(from);
  if (room != 0) {
    const std::uint64_t copied = std::min(length, room - 1);
    std::memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

TEST(Library, CopiesWhatFits) {
  for (std::uint64_t room = 0; room < 6; ++room) {
    const Bytes from = {1, 2, 0, 0};
    std::array<char, 8> to{};
    to.fill(0x55);
    to[endOfFilled] = 0;
    const std::uint64_t length =
        fitted(to.data(), reinterpret_cast<const char *>(from.data()), room);
    for (std::uint64_t at = 0; at < to.size(); ++at) {
      Program source =
          copying("strlcpy", from, {Operand::constant(i64, room)}, at, 0);
      for (corpus::Instruction &each : source.instructions)
        if (each.opcode == Opcode::call)
          each.type = i64;
      source.callees[0].signature.returnType = i64;
      const auto verdictOf = [&](int is) {
        return checkMemorySymbolically(source, constant(i8, is, from),
                                       *parseSemantics("llvm"), false)
            .word;
      };
      ASSERT_EQ(corpus::verify(source), std::nullopt) << printModule(source);
      EXPECT_EQ(verdictOf(to[at]), VerdictWord::refines) << room << ' ' << at;
      EXPECT_EQ(verdictOf(to[at] ^ 1), VerdictWord::wrong);
    }
    expect(callOf("strlcpy", i64, from, &from, {Operand::constant(i64, 0)}),
           static_cast<std::int64_t>(length),
           static_cast<std::int64_t>(length) + 1, from);
  }
}

} // namespace
} // namespace checker
