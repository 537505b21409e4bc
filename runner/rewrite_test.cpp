// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts: what a reader sees changed between two functions that are written out.
#include "runner/rewrite.h"

#include "corpus/program/program.h"
#include "runner/rewrite_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace runner {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
namespace flag = corpus::flag;

/// `i<width> @f(i<width> %a, i<width> %b)`, with a body that `fill` appends
/// and whose last value is returned.
template <typename Fill> Program function(unsigned width, Fill &&fill) {
  Program program;
  const Type type = Type::integer(width);
  program.signature.returnType = type;
  const Operand a = program.addParameter(type);
  const Operand b = program.addParameter(type);
  const Operand result = fill(program, type, a, b);
  program.append(Opcode::ret, Type(), {result});
  EXPECT_FALSE(corpus::verify(program));
  return program;
}

corpus::Bytes formOf(const Program &source, const Program &target) {
  RewriteFinder finder;
  const auto forms = finder.find(source, target);
  EXPECT_EQ(forms.size(), 1U);
  return forms.front();
}
std::string textOf(const Program &source, const Program &target) {
  return rewriteText(formOf(source, target)).value_or("no form");
}

/// `(a + b) * factor` and `(a + b) << amount`, in the middle of something else.
std::pair<Program, Program> multiplication(unsigned width, std::uint64_t factor,
                                           std::uint64_t amount, bool swapped) {
  const auto make = [&](Opcode opcode, std::uint64_t constant) {
    return function(width, [&](Program &p, Type type, Operand a, Operand b) {
      if (swapped)
        std::swap(a, b);
      const Operand sum = p.append(Opcode::add, type, {a, b});
      const Operand product =
          p.append(opcode, type, {sum, Operand::constant(type, constant)});
      return p.append(Opcode::xor_, type, {product, b});
    });
  };
  return {make(Opcode::mul, factor), make(Opcode::shl, amount)};
}

TEST(Rewrite, IsCutToWhatChanged) {
  const auto [source, target] = multiplication(8, 4, 2, false);
  EXPECT_EQ(textOf(source, target), "%v0 = mul iN %a, C -> %v1 = shl iN %a, C; "
                                    "%v0 := %v1");
}

TEST(Rewrite, AbstractsWidthsConstantsAndArguments) {
  const auto [source, target] = multiplication(8, 4, 2, false);
  const auto [other, otherTarget] = multiplication(16, 32, 5, true);
  EXPECT_EQ(formOf(source, target), formOf(other, otherTarget));
  const auto [two, twoTarget] = multiplication(8, 2, 1, false);
  EXPECT_NE(formOf(source, target), formOf(two, twoTarget))
      << "a shift by 1 is not a shift by any constant";
  EXPECT_EQ(textOf(two, twoTarget), "%v0 = mul iN %a, C -> %v1 = shl iN %a, 1; "
                                    "%v0 := %v1");
}

TEST(Rewrite, SaysWhatTakesThePlaceOfWhat) {
  const Program source =
      function(4, [](Program &p, Type type, Operand a, Operand b) {
        const Operand same =
            p.append(Opcode::sub, type, {a, Operand::constant(type, 0)});
        return p.append(Opcode::mul, type, {same, b});
      });
  const Program target =
      function(4, [](Program &p, Type type, Operand a, Operand b) {
        return p.append(Opcode::mul, type, {a, b});
      });
  EXPECT_EQ(textOf(source, target), "%v0 = sub iN %a, 0 -> %v0 := %a");
}

TEST(Rewrite, TwoPlacesAreTwoRewrites) {
  const Program source =
      function(4, [](Program &p, Type type, Operand a, Operand b) {
        const Operand zero = Operand::constant(type, 0);
        const Operand left = p.append(Opcode::sub, type, {a, zero});
        const Operand right = p.append(Opcode::or_, type, {b, zero});
        const Operand both = p.append(Opcode::mul, type, {left, right});
        return p.append(Opcode::xor_, type, {both, right});
      });
  const Program between =
      function(4, [](Program &p, Type type, Operand a, Operand b) {
        const Operand zero = Operand::constant(type, 0);
        const Operand right = p.append(Opcode::or_, type, {b, zero});
        const Operand both = p.append(Opcode::mul, type, {a, right});
        return p.append(Opcode::xor_, type, {both, right});
      });
  const Program target =
      function(4, [](Program &p, Type type, Operand a, Operand b) {
        const Operand both = p.append(Opcode::mul, type, {a, b});
        return p.append(Opcode::xor_, type, {both, b});
      });
  EXPECT_EQ(textOf(source, between), "%v0 = sub iN %a, 0 -> %v0 := %a");
  EXPECT_EQ(textOf(between, target), "%v0 = or iN %a, 0 -> %v0 := %a");
}

/// Where only the order of operands is another.
TEST(Rewrite, OrderOfOperandsIsNoRewriteOfItsOwn) {
  const auto make = [](bool swapped) {
    return function(4, [&](Program &p, Type type, Operand a, Operand b) {
      const Operand sum = swapped ? p.append(Opcode::add, type, {b, a})
                                  : p.append(Opcode::add, type, {a, b});
      return p.append(Opcode::shl, type, {sum, a});
    });
  };
  EXPECT_EQ(textOf(make(false), make(true)), "() -> order or names only");
}

TEST(Rewrite, SeesFlags) {
  const auto make = [](corpus::Flags flags) {
    return function(4, [&](Program &p, Type type, Operand a, Operand b) {
      return p.append(Opcode::add, type, {a, b}, flags);
    });
  };
  EXPECT_EQ(textOf(make(flag::none), make(flag::nuw)),
            "%v0 = add iN %a, %b -> %v1 = add nuw iN %a, %b; %v0 := %v1");
  EXPECT_NE(formOf(make(flag::none), make(flag::nuw)),
            formOf(make(flag::none), make(flag::nsw)));
}

/// What was computed far above a value that is a constant now decides nothing
/// that the new code shows.
TEST(Rewrite, ForgetsWhatIsFarAboveUnlessTheNewCodeUsesIt) {
  const auto source = [](Opcode first) {
    return function(4, [&](Program &p, Type type, Operand a, Operand b) {
      const Operand far = p.append(first, type, {a, b});
      const Operand near =
          p.append(Opcode::or_, type, {far, Operand::constant(type, 1)});
      return p.append(Opcode::and_, type, {near, Operand::constant(type, 0)});
    });
  };
  const Program zero = function(4, [](Program &, Type type, Operand, Operand) {
    return Operand::constant(type, 0);
  });
  EXPECT_EQ(textOf(source(Opcode::mul), zero),
            "%v0 = and iN (or), 0 -> %v0 := 0");
  EXPECT_EQ(formOf(source(Opcode::mul), zero),
            formOf(source(Opcode::shl), zero));
  const Program argument =
      function(4, [](Program &, Type, Operand a, Operand) { return a; });
  EXPECT_NE(formOf(source(Opcode::mul), argument),
            formOf(source(Opcode::shl), argument));
}

/// `br a ? b1 : b2`, a division in b1, and a phi of both in the join.
Program diamond(bool isSpeculated) {
  Program p;
  const Type i1 = Type::integer(1);
  const Type i4 = Type::integer(4);
  p.signature.returnType = i4;
  const Operand condition = p.addParameter(i1);
  const Operand a = p.addParameter(i4);
  if (isSpeculated) {
    const Operand quotient = p.append(Opcode::udiv, i4, {a, a});
    const Operand chosen =
        p.append(Opcode::select, i4, {condition, quotient, a});
    p.append(Opcode::ret, Type(), {chosen});
    return p;
  }
  p.append(Opcode::br, Type(),
           {condition, Operand::block(1), Operand::block(2)});
  p.beginBlock();
  const Operand quotient = p.append(Opcode::udiv, i4, {a, a});
  p.append(Opcode::br, Type(), {Operand::block(2)});
  p.beginBlock();
  const Operand chosen = p.append(
      Opcode::phi, i4, {quotient, Operand::block(1), a, Operand::block(0)});
  p.append(Opcode::ret, Type(), {chosen});
  return p;
}

TEST(Rewrite, ShowsBranchesAndWhatMovedBetweenBlocks) {
  ASSERT_FALSE(corpus::verify(diamond(false)));
  ASSERT_FALSE(corpus::verify(diamond(true)));
  const std::string text = textOf(diamond(false), diamond(true));
  EXPECT_NE(text.find("entry0: br _, block1, join2"), std::string::npos)
      << text;
  EXPECT_NE(text.find("block1: %v1 = udiv"), std::string::npos) << text;
  EXPECT_NE(text.find("-> entry0: "), std::string::npos) << text;
  EXPECT_NE(text.find("select"), std::string::npos) << text;
}

TEST(Rewrite, NoStringOfBytesBreaksTheReader) {
  const auto [source, target] = multiplication(8, 4, 2, false);
  const corpus::Bytes form = formOf(source, target);
  for (std::size_t i = 0; i < form.size(); ++i)
    for (unsigned byte = 0; byte < 256; ++byte) {
      corpus::Bytes bad = form;
      bad[i] = static_cast<std::uint8_t>(byte);
      (void)rewriteText(bad);
      bad.resize(i);
      (void)rewriteText(bad);
    }
  EXPECT_FALSE(rewriteText(corpus::Bytes{200}));
}

TEST(RewriteCounts, CountsWhatAMapCounts) {
  struct Expected {
    std::uint64_t count = 0;
    corpus::Rank first = ~corpus::Rank(0);
  };
  RewriteCounts counts;
  std::mt19937_64 random(1);
  for (int round = 0; round < 3; ++round) {
    std::map<corpus::Bytes, Expected> expected;
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t number = random() % 3000;
      const corpus::Bytes form = {static_cast<std::uint8_t>(number),
                                  static_cast<std::uint8_t>(number >> 8)};
      const corpus::Rank rank = random();
      counts.note(form, rank);
      Expected &each = expected[form];
      ++each.count;
      each.first = std::min(each.first, rank);
    }
    const std::vector<corpus::Rewrite> taken = counts.take();
    EXPECT_EQ(taken.size(), expected.size());
    for (const corpus::Rewrite &rewrite : taken) {
      EXPECT_EQ(rewrite.hash, rewriteHash(rewrite.form));
      EXPECT_EQ(rewrite.count, expected[rewrite.form].count);
      EXPECT_EQ(rewrite.firstRank, expected[rewrite.form].first);
    }
  }
}

} // namespace
} // namespace runner
