// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduced inputs of memory against all values of each byte and argument, on
// all functions of small spaces and two edits of each: planes with all inputs,
// planes with theirs, the reference interpreter with its own.
// IRSIEVE_TEST_SCALE=40 takes every function of those; ci/agree reduction takes
// 10^5 larger ones too.
#include "checker/agreement.h"
#include "checker/exact/reference.h"
#include "checker/render.h"
#include "checker/sliced/memory_sliced.h"
#include "checker/symbolic/memory_smt.h"
#include "corpus/program/random_program.h"
#include "enumerate/space.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace runner {
namespace {

using checker::FullBytes;
using checker::MemorySliced;
using checker::Opinions;
using checker::Question;
using checker::Verdict;
using checker::VerdictWord;

class MemoryReduction : public checker::Agreement {
protected:
  void compareOnSpace(const std::string &spec) {
    const auto space = enumerate::parseSpace(spec);
    ASSERT_TRUE(space) << spec;
    // At scale 1 every fortieth function.
    const unsigned stride = 40 / std::clamp(checker::scaled(1), 1U, 40U);
    const auto count = static_cast<std::uint64_t>((*space)->count());
    for (std::uint64_t rank = 0; rank < count; rank += stride)
      for (unsigned edit = 0; edit < 2; ++edit) {
        compareEdit(**space, rank, edit, askAllValues);
        if (HasFatalFailure())
          return;
      }
  }
  /// So many functions of it at scale 1, with an edit each.
  void compareSamples(const std::string &spec, unsigned samples,
                      const checker::Ask &ask) {
    const auto space = enumerate::parseSpace(spec);
    ASSERT_TRUE(space) << spec;
    const auto count = static_cast<std::uint64_t>((*space)->count());
    corpus::Random random(checker::seeded(4));
    for (unsigned i = 0; i < checker::scaled(samples); ++i) {
      compareEdit(**space, random() % count, i, ask);
      if (HasFatalFailure())
        return;
    }
  }

  void compareEdit(const enumerate::Space &space, std::uint64_t rank,
                   unsigned edit, const checker::Ask &ask) {
    corpus::RandomOptions options;
    options.widths = {8};
    options.memory = options.undefAndPoison = true;
    corpus::Random random(2 * rank + edit);
    Question question{space.at(rank), {}, {}};
    question.target = randomEdit(random, question.source, options);
    compare(question, ask);
  }
  static Opinions byFormulas(const Question &question) {
    const auto &[source, target, semantics] = question;
    if (source.signature.returnType != target.signature.returnType)
      return {};
    const Verdict tried = checkByReference(source, target, semantics, false);
    const Verdict proved =
        checkMemorySymbolically(source, target, semantics, false, {});
    if (!isDecided(tried) || !isDecided(proved))
      return {};
    if (tried.word == proved.word && tried.kind == proved.kind)
      return {Opinions::Word::agree, tried, {}};
    return {Opinions::Word::disagree, tried,
            fmt::format("the reference says {}, formulas {}", headline(tried),
                        headline(proved))};
  }
  Opinions byAllValues(const Question &question) {
    using Word = MemorySliced::Result::Word;
    const auto &[source, target, semantics] = question;
    if (source.signature.returnType != target.signature.returnType)
      return {};
    const auto all = all_.check(source, target, semantics, FullBytes::yes);
    if (all.word == Word::cannot)
      return {};
    const auto few = few_.check(source, target, semantics, FullBytes::no);
    const Verdict slow = checkByReference(source, target, semantics, false);
    if (!isDecided(slow))
      return {};
    const bool isWrong = all.word == Word::wrong;
    const bool agree = few.word == all.word &&
                       (!isWrong || few.kind == all.kind) &&
                       isWrong == (slow.word == VerdictWord::wrong) &&
                       (!isWrong || slow.kind == all.kind);
    if (agree)
      return {Opinions::Word::agree, slow, {}};
    return {
        Opinions::Word::disagree, slow,
        fmt::format("all values say {}, the reduced ones {}, the reference "
                    "{}",
                    isWrong ? toString(all.kind) : "refines",
                    few.word == Word::wrong ? toString(few.kind) : "refines",
                    headline(slow))};
  }

  MemorySliced all_{checker::bitsliced::kernels().back()};
  const checker::Ask askFormulas = byFormulas;
  const checker::Ask askAllValues = [this](const Question &question) {
    return byAllValues(question);
  };
  MemorySliced few_{checker::bitsliced::kernels().back()};
};

TEST_F(MemoryReduction, BehindOnePointer) {
  for (const char *count : {"1", "2", "3"})
    compareOnSpace(
        fmt::format("i8x{}:mem=a1+p1,align,args=0,consts=two,poison", count));
  counts.expectBalance(1);
}
TEST_F(MemoryReduction, WithArithmetic) {
  compareOnSpace("i8x3:mem=p1,args=0,consts=two,poison,"
                 "ops=load+store+and+or+xor+add+lshr+icmp+select");
  counts.expectBalance(1);
}
TEST_F(MemoryReduction, WithBranches) {
  compareOnSpace("i8x3:mem=p1,align,graph=if,args=1,consts=two,poison");
  counts.expectBalance(1);
}

// Layouts that comparisons of addresses do not tell apart are tried once;
// formulas know nothing of layouts.
TEST_F(MemoryReduction, WithComparedAddresses) {
  for (const char *spec :
       {"i8x2:mem=p1+p1,ptr=icmp+select+ret,gep,args=0,consts=two",
        "i8x2:mem=p1+p1,ptr=icmp+select,gep,null,args=0,consts=two",
        "i8x2:mem=p1+p1+p1,ptr=icmp+select,args=0,consts=two",
        "i8x2:mem=p2+p2,ptr=icmp,index,access=8+16,graph=if,args=1,consts=two",
        "i8x2:mem=a1+p1,ptr=icmp+phi,graph=if,args=1,consts=two"})
    compareSamples(spec, 30, askFormulas);
  counts.expectBalance(1);
}

// Functions beyond those that can all be tried.
TEST_F(MemoryReduction, OfFourInstructions) {
  compareSamples("i8x4:mem=a1+p1,align,args=0,consts=two,poison", 200,
                 askAllValues);
  compareSamples("i8x4:mem=p1,args=0,consts=two,poison,"
                 "ops=load+store+and+or+xor+add+lshr+icmp+select",
                 200, askAllValues);
  counts.expectBalance(1);
}

} // namespace
} // namespace runner
