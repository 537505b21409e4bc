// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What intrinsics mean against the instructions of this machine, where it has
// them, on seeded operands and on corners. What it has not is compared with
// LLVM's own folds (runner/llvm/target_test.cpp).
#include "checker/check.h"
#include "checker/intrinsics/expand.h"
#include "checker/render.h"
#include "corpus/program/print.h"
#include "corpus/program/target.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#ifdef __x86_64__
#include <ammintrin.h>
#include <immintrin.h>
#endif

namespace checker {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::TargetIntrinsic;
using corpus::Type;

/// A register as it is in memory.
using Bytes = std::array<std::uint8_t, 32>;

Operand literalOf(Program &program, Type type, const Bytes &bytes) {
  std::vector<Operand> lanes;
  const unsigned size = type.lane(0).width() / 8;
  for (unsigned i = 0; i < type.lanes(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + std::size_t(i) * size, size);
    lanes.push_back(Operand::constant(type.lane(0), bits));
  }
  return type.isScalar() ? lanes.front()
                         : program.literal(type, std::move(lanes));
}

/// Returns the call with these operands, as literals or as what is not known.
Program calling(const TargetIntrinsic &intrinsic, const Bytes *bytes,
                bool isKnown) {
  Program program;
  program.callees = {intrinsic.callee};
  const corpus::Signature &signature = intrinsic.callee.signature;
  program.signature.returnType = signature.returnType;
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const Operand literal =
        literalOf(program, signature.parameters[i].type, bytes[i]);
    const bool isImmediate = (intrinsic.immediates >> i & 1) != 0;
    operands.push_back(
        isKnown || isImmediate
            ? literal
            : program.append(Opcode::freeze, literal.type, {literal}));
  }
  const Operand result =
      program.append(Opcode::call, signature.returnType, operands);
  program.append(Opcode::ret, Type(), {result});
  return program;
}

Program returning(Type type, const Bytes &bytes) {
  Program program;
  program.signature.returnType = type;
  program.append(Opcode::ret, Type(), {literalOf(program, type, bytes)});
  return program;
}

#ifdef __x86_64__

struct Machine {
  const char *name;
  bool isThere;
  Bytes (*run)(const Bytes *operands);
};

// A function for each, since not every processor has its instructions.
#define ON_MACHINE(name, features, type_a, type_b, type_c, expression)         \
  Machine {                                                                    \
    name, __builtin_cpu_supports(features) != 0,                               \
        [](const Bytes *operands) __attribute__((target(features)))->Bytes {   \
      type_a a;                                                                \
      type_b b;                                                                \
      type_c c;                                                                \
      std::memcpy(&a, operands[0].data(), sizeof a);                           \
      std::memcpy(&b, operands[1].data(), sizeof b);                           \
      std::memcpy(&c, operands[2].data(), sizeof c);                           \
      (void)b, (void)c;                                                        \
      const auto result = expression;                                          \
      Bytes bytes{};                                                           \
      std::memcpy(bytes.data(), &result, sizeof result);                       \
      return bytes;                                                            \
    }                                                                          \
  }
#define SSE(name, features, expression)                                        \
  ON_MACHINE("llvm.x86." name, features, __m128i, __m128i, __m128i, expression)
#define SSE_NUMBER(name, expression)                                           \
  ON_MACHINE("llvm.x86.sse2." name, "sse2", __m128i, int, int, expression)
#define AVX(name, expression)                                                  \
  ON_MACHINE("llvm.x86.avx2." name, "avx2", __m256i, __m256i, __m256i,         \
             expression)
#define AVX_HALF(name, expression)                                             \
  ON_MACHINE("llvm.x86.avx2." name, "avx2", __m256i, __m128i, __m128i,         \
             expression)
#define AVX_NUMBER(name, expression)                                           \
  ON_MACHINE("llvm.x86.avx2." name, "avx2", __m256i, int, int, expression)
#define BITS(name, features, type, expression)                                 \
  ON_MACHINE("llvm.x86." name, features, type, type, type, expression)

const Machine machines[] = {
    SSE("sse2.psll.w", "sse2", _mm_sll_epi16(a, b)),
    SSE("sse2.psll.d", "sse2", _mm_sll_epi32(a, b)),
    SSE("sse2.psll.q", "sse2", _mm_sll_epi64(a, b)),
    SSE("sse2.psrl.w", "sse2", _mm_srl_epi16(a, b)),
    SSE("sse2.psrl.d", "sse2", _mm_srl_epi32(a, b)),
    SSE("sse2.psrl.q", "sse2", _mm_srl_epi64(a, b)),
    SSE("sse2.psra.w", "sse2", _mm_sra_epi16(a, b)),
    SSE("sse2.psra.d", "sse2", _mm_sra_epi32(a, b)),
    SSE_NUMBER("pslli.w", _mm_slli_epi16(a, b)),
    SSE_NUMBER("pslli.d", _mm_slli_epi32(a, b)),
    SSE_NUMBER("pslli.q", _mm_slli_epi64(a, b)),
    SSE_NUMBER("psrli.w", _mm_srli_epi16(a, b)),
    SSE_NUMBER("psrli.d", _mm_srli_epi32(a, b)),
    SSE_NUMBER("psrli.q", _mm_srli_epi64(a, b)),
    SSE_NUMBER("psrai.w", _mm_srai_epi16(a, b)),
    SSE_NUMBER("psrai.d", _mm_srai_epi32(a, b)),
    AVX_HALF("psll.w", _mm256_sll_epi16(a, b)),
    AVX_HALF("psll.d", _mm256_sll_epi32(a, b)),
    AVX_HALF("psll.q", _mm256_sll_epi64(a, b)),
    AVX_HALF("psrl.w", _mm256_srl_epi16(a, b)),
    AVX_HALF("psrl.d", _mm256_srl_epi32(a, b)),
    AVX_HALF("psrl.q", _mm256_srl_epi64(a, b)),
    AVX_HALF("psra.w", _mm256_sra_epi16(a, b)),
    AVX_HALF("psra.d", _mm256_sra_epi32(a, b)),
    AVX_NUMBER("pslli.w", _mm256_slli_epi16(a, b)),
    AVX_NUMBER("psrli.d", _mm256_srli_epi32(a, b)),
    AVX_NUMBER("psrai.w", _mm256_srai_epi16(a, b)),
    AVX_NUMBER("pslli.q", _mm256_slli_epi64(a, b)),
    SSE("avx2.psllv.d", "avx2", _mm_sllv_epi32(a, b)),
    SSE("avx2.psllv.q", "avx2", _mm_sllv_epi64(a, b)),
    SSE("avx2.psrlv.d", "avx2", _mm_srlv_epi32(a, b)),
    SSE("avx2.psrlv.q", "avx2", _mm_srlv_epi64(a, b)),
    SSE("avx2.psrav.d", "avx2", _mm_srav_epi32(a, b)),
    AVX("psllv.d.256", _mm256_sllv_epi32(a, b)),
    AVX("psllv.q.256", _mm256_sllv_epi64(a, b)),
    AVX("psrlv.d.256", _mm256_srlv_epi32(a, b)),
    AVX("psrlv.q.256", _mm256_srlv_epi64(a, b)),
    AVX("psrav.d.256", _mm256_srav_epi32(a, b)),
    SSE("sse2.packsswb.128", "sse2", _mm_packs_epi16(a, b)),
    SSE("sse2.packssdw.128", "sse2", _mm_packs_epi32(a, b)),
    SSE("sse2.packuswb.128", "sse2", _mm_packus_epi16(a, b)),
    SSE("sse41.packusdw", "sse4.1", _mm_packus_epi32(a, b)),
    AVX("packsswb", _mm256_packs_epi16(a, b)),
    AVX("packssdw", _mm256_packs_epi32(a, b)),
    AVX("packuswb", _mm256_packus_epi16(a, b)),
    AVX("packusdw", _mm256_packus_epi32(a, b)),
    SSE("sse2.pmulh.w", "sse2", _mm_mulhi_epi16(a, b)),
    SSE("sse2.pmulhu.w", "sse2", _mm_mulhi_epu16(a, b)),
    SSE("ssse3.pmul.hr.sw.128", "ssse3", _mm_mulhrs_epi16(a, b)),
    AVX("pmulh.w", _mm256_mulhi_epi16(a, b)),
    AVX("pmulhu.w", _mm256_mulhi_epu16(a, b)),
    AVX("pmul.hr.sw", _mm256_mulhrs_epi16(a, b)),
    SSE("sse2.pmadd.wd", "sse2", _mm_madd_epi16(a, b)),
    SSE("ssse3.pmadd.ub.sw.128", "ssse3", _mm_maddubs_epi16(a, b)),
    AVX("pmadd.wd", _mm256_madd_epi16(a, b)),
    AVX("pmadd.ub.sw", _mm256_maddubs_epi16(a, b)),
    SSE("ssse3.pshuf.b.128", "ssse3", _mm_shuffle_epi8(a, b)),
    AVX("pshuf.b", _mm256_shuffle_epi8(a, b)),
    AVX("permd", _mm256_permutevar8x32_epi32(a, b)),
    SSE("sse41.pblendvb", "sse4.1", _mm_blendv_epi8(a, b, c)),
    AVX("pblendvb", _mm256_blendv_epi8(a, b, c)),
    SSE("sse2.pmovmskb.128", "sse2", _mm_movemask_epi8(a)),
    AVX("pmovmskb", _mm256_movemask_epi8(a)),
    SSE("sse4a.extrq", "sse4a", _mm_extract_si64(a, b)),
    SSE("sse4a.insertq", "sse4a", _mm_insert_si64(a, b)),
    BITS("bmi.bextr.32", "bmi", unsigned, __builtin_ia32_bextr_u32(a, b)),
    BITS("bmi.bextr.64", "bmi", unsigned long, __builtin_ia32_bextr_u64(a, b)),
    BITS("bmi.bzhi.32", "bmi2", unsigned, _bzhi_u32(a, b)),
    BITS("bmi.bzhi.64", "bmi2", unsigned long, _bzhi_u64(a, b)),
    BITS("bmi.pext.32", "bmi2", unsigned, _pext_u32(a, b)),
    BITS("bmi.pext.64", "bmi2", unsigned long, _pext_u64(a, b)),
    BITS("bmi.pdep.32", "bmi2", unsigned, _pdep_u32(a, b)),
    BITS("bmi.pdep.64", "bmi2", unsigned long, _pdep_u64(a, b)),
};

/// Bytes, half of the time of few kinds: amounts near the width of a lane,
/// lanes that saturate.
Bytes operandOf(std::mt19937_64 &random) {
  static constexpr std::uint8_t corners[] = {0,  1,  7,  8,    15,   16,  31,
                                             32, 63, 64, 0x7f, 0x80, 0xff};
  Bytes bytes{};
  const bool isSmall = random() % 2 == 0;
  const auto step = std::size_t(1) << random() % 4;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (!isSmall)
      bytes[i] = static_cast<std::uint8_t>(random());
    else if (i % step == 0)
      bytes[i] = corners[random() % std::size(corners)];
  return bytes;
}

TEST(Meanings, AreWhatTheMachineComputes) {
  Checker checker;
  unsigned compared = 0;
  for (const Machine &machine : machines) {
    const TargetIntrinsic *intrinsic = corpus::targetIntrinsic(machine.name);
    ASSERT_NE(intrinsic, nullptr) << machine.name;
    if (!machine.isThere)
      continue;
    ++compared;
    std::mt19937_64 random(1);
    for (unsigned i = 0; i < 400; ++i) {
      const Bytes operands[] = {operandOf(random), operandOf(random),
                                operandOf(random)};
      const Program source = calling(*intrinsic, operands, i % 2 == 0);
      const Program target = returning(intrinsic->callee.signature.returnType,
                                       machine.run(operands));
      ASSERT_EQ(corpus::verify(source), std::nullopt);
      const Verdict verdict =
          checker.check(source, target, {}, WantWitness::no, Engine::reference);
      ASSERT_EQ(headline(verdict), "refines")
          << corpus::printPair(source, target);
    }
  }
  EXPECT_GE(compared, 28U) << "what every x86-64 has";
}

#endif

/// Bit 4 a + 2 b + c of the number, for each bit.
TEST(Meanings, TernaryLogic) {
  Checker checker;
  const TargetIntrinsic *intrinsic =
      corpus::targetIntrinsic("llvm.x86.avx512.pternlog.d.128");
  const auto row = [](std::uint32_t bits) {
    Bytes bytes{};
    std::memcpy(bytes.data(), &bits, sizeof bits);
    return bytes;
  };
  for (unsigned table = 0; table < 256; ++table) {
    // Bit i of them is row i of the table.
    const Bytes operands[] = {row(0xf0), row(0xcc), row(0xaa), row(table)};
    const Verdict verdict =
        checker.check(calling(*intrinsic, operands, false),
                      returning(Type::vector(4, Type::integer(32)),
                                [&] {
                                  // Where all operands are 0 the result is bit
                                  // 0 of the table.
                                  Bytes bytes{};
                                  bytes.fill((table & 1) != 0 ? 0xff : 0);
                                  bytes[0] = static_cast<std::uint8_t>(table);
                                  return bytes;
                                }()),
                      {}, WantWitness::no, Engine::reference);
    EXPECT_EQ(headline(verdict), "refines") << table;
  }
}

/// `undef` is one value to the call. PSHUFB looks at an index twice.
TEST(Expansion, UsesNoSetTwice) {
  const auto verdict = [](std::string_view name, std::size_t undef) {
    const TargetIntrinsic *intrinsic = corpus::targetIntrinsic(name);
    const Bytes operands[4] = {};
    Program program = calling(*intrinsic, operands, true);
    program.operands[undef] =
        Operand::undef(intrinsic->callee.signature.parameters[undef].type);
    const auto result = intrinsics::expanded(program, {});
    return result ? "" : result.error().message;
  };
  EXPECT_EQ(verdict("llvm.x86.sse2.pmulh.w", 0), "");
  EXPECT_EQ(verdict("llvm.x86.sse2.psra.w", 1), "");
  EXPECT_EQ(verdict("llvm.x86.sse2.pmadd.wd", 1), "");
  EXPECT_EQ(verdict("llvm.x86.avx2.permd", 1), "");
  EXPECT_EQ(verdict("llvm.x86.ssse3.pshuf.b.128", 1),
            "llvm.x86.ssse3.pshuf.b.128 of what may be undef");
}

/// A witness shows the values that the reader's functions have, and no others.
TEST(Expansion, WitnessesNameWhatWasThere) {
  const Bytes ones = {1, 1, 1, 1};
  const Bytes operands[2] = {ones, ones};
  const Program source = calling(
      *corpus::targetIntrinsic("llvm.x86.sse2.pmulh.w"), operands, true);
  Program target =
      calling(*corpus::targetIntrinsic("llvm.x86.sse2.psra.w"), operands, true);
  const Verdict verdict = Checker().check(source, target, {});
  ASSERT_EQ(headline(verdict), "wrong (value)");
  ASSERT_TRUE(verdict.witness);
  const auto namesOf = [](const std::vector<NamedValue> &values) {
    std::string names;
    for (const NamedValue &value : values)
      names += value.name + " ";
    return names;
  };
  EXPECT_EQ(namesOf(verdict.witness->sourceValues), "%v0 ");
  EXPECT_EQ(namesOf(verdict.witness->targetValues), "%v0 ");
}

TEST(Expansion, NamesWhatItDoesNotKnow) {
  const TargetIntrinsic *intrinsic =
      corpus::targetIntrinsic("llvm.x86.sse2.pmulh.w");
  const Bytes operands[2] = {};
  Program program = calling(*intrinsic, operands, true);
  program.instructions[0].attributes = 0;
  program.callAttributes.emplace_back();
  program.callAttributes[0].function.add(corpus::attribute::nounwind);
  EXPECT_TRUE(intrinsics::expanded(program, {}));
  const auto underSelectUb = *parseSemantics("select-ub");
  EXPECT_TRUE(intrinsics::expanded(program, underSelectUb));
  const TargetIntrinsic *choosing =
      corpus::targetIntrinsic("llvm.x86.ssse3.pshuf.b.128");
  EXPECT_EQ(
      intrinsics::expanded(calling(*choosing, operands, false), underSelectUb)
          .error()
          .message,
      "llvm.x86.ssse3.pshuf.b.128 where select_condition or select_arms "
      "is not that of llvm");
  program.callAttributes[0].result.add(corpus::attribute::noundef);
  EXPECT_EQ(intrinsics::expanded(program, {}).error().message,
            "attributes of a call of llvm.x86.sse2.pmulh.w");
}

} // namespace
} // namespace checker
