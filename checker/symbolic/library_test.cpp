// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions that read, on constant bytes, against the C library itself:
// what it returns refines the call, and nothing else does.
#include "checker/symbolic/memory_smt.h"

#include "corpus/program/print.h"
#include "corpus/program/program.h"

#include <gtest/gtest.h>

#include <array>
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
                                          (result == i32 ? 0xffffffff : ~0ULL));
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
  EXPECT_EQ(checked, 270U);
}

} // namespace
} // namespace checker
