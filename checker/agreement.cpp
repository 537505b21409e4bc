// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/agreement.h"

#include "corpus/program/print.h"
#include "reports/triage/reduce_pair.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace checker {
namespace {

double fromEnvironment(const char *name, double otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtod(text, nullptr);
}

double scale() { return fromEnvironment("IRSIEVE_TEST_SCALE", 1); }

std::string choiceName(const Knob &knob, std::size_t choice) {
  return fmt::format("{}={}", knob.name, knob.choices[choice].name);
}

/// Knobs back to what the preset `llvm` has, one after the other.
Semantics simplified(Semantics semantics,
                     const std::function<bool(const Semantics &)> &shows) {
  for (const Knob &knob : knobTable()) {
    Semantics simpler = semantics;
    knob.set(simpler, knob.get({}));
    if (simpler != semantics && shows(simpler))
      semantics = simpler;
  }
  return semantics;
}

void print(const char *what, const AgreementCounts &counts) {
  std::printf("[ COUNTED  ] %u %s: %u refines, %u wrong; beside them %u "
              "undecided by one engine, %u up to a loop bound, %u not taken\n",
              counts.pairs(), what, counts.refines, counts.wrong,
              counts.undecided, counts.bounded, counts.untaken);
  std::fflush(stdout);
}

} // namespace

AgreementCounts Agreement::total;

unsigned scaled(unsigned count) {
  return static_cast<unsigned>(count * scale());
}

std::uint64_t seeded(std::uint64_t seed) {
  return seed +
         static_cast<std::uint64_t>(fromEnvironment("IRSIEVE_TEST_SEED", 0));
}

Semantics randomSemantics(corpus::Random &random,
                          const std::vector<unsigned> &widths) {
  const bool isNarrow = std::all_of(widths.begin(), widths.end(),
                                    [](unsigned width) { return width <= 2; });
  const auto presets = presetTable();
  Semantics semantics = presets[random() % presets.size()].semantics;
  constexpr unsigned oneIn = 6;
  for (const Knob &knob : knobTable()) {
    if (random() % oneIn != 0)
      continue;
    Semantics turned = semantics;
    knob.set(turned, random() % knob.choices.size());
    if (isNarrow || turned.inputs != Inputs::anySet)
      semantics = turned;
  }
  return semantics;
}

std::string asTest(const Question &question, const std::string &how,
                   const Ask &ask) {
  // Z3 answers some hundred a second.
  const auto budget =
      static_cast<unsigned>(fromEnvironment("IRSIEVE_TEST_REDUCE", 5000));
  Question small = question;
  std::string said = how;
  unsigned asked = 0;
  const auto shows = [&](const Question &candidate) {
    if (++asked > budget)
      return false;
    const Opinions opinions = ask(candidate);
    if (opinions.word != Opinions::Word::disagree)
      return false;
    said = opinions.how;
    return true;
  };
  small.semantics =
      simplified(small.semantics, [&](const Semantics &semantics) {
        return shows({small.source, small.target, semantics});
      });
  reports::Pair pair =
      reports::reducePair({small.source, small.target}, [&](const auto &each) {
        return shows({each.source, each.target, small.semantics});
      });
  return fmt::format("as corpus/known/pairs/NAME.ll, with the verdict of "
                     "docs/semantics.md in the place of ???:\n\n"
                     "; {}\n"
                     "; EXPECT {}: ???\n{}",
                     said, toString(small.semantics),
                     corpus::printPair(pair.source, pair.target));
}

void AgreementCounts::add(const Semantics &semantics, const Verdict &verdict) {
  ++(verdict.word == VerdictWord::wrong ? wrong : refines);
  for (const Knob &knob : knobTable())
    ++byChoice[choiceName(knob, knob.get(semantics))];
}

void AgreementCounts::add(const AgreementCounts &others) {
  refines += others.refines;
  wrong += others.wrong;
  undecided += others.undecided;
  bounded += others.bounded;
  untaken += others.untaken;
  for (const auto &[choice, pairs] : others.byChoice)
    byChoice[choice] += pairs;
}

void AgreementCounts::expectBalance(double undecidedShare) const {
  if (scale() < 1)
    return; // too few to have shares
  EXPECT_GT(wrong, refines / 4);
  EXPECT_GT(refines, wrong / 4);
  EXPECT_LE(undecided, pairs() * undecidedShare);
}

void AgreementCounts::expectEveryChoice(
    const std::function<bool(const Semantics &)> &isKnown) const {
  for (const Knob &knob : knobTable())
    for (std::size_t choice = 0; choice < knob.choices.size(); ++choice) {
      Semantics semantics;
      knob.set(semantics, choice);
      const auto found = byChoice.find(choiceName(knob, choice));
      EXPECT_TRUE(!isKnown(semantics) || found != byChoice.end())
          << choiceName(knob, choice) << " is asked by no pair";
    }
}

void Agreement::compareOnRandomPairs(
    const corpus::RandomOptions &options, unsigned pairs, std::uint64_t seed,
    const Ask &ask, const std::function<bool(const Semantics &)> &isKnown) {
  corpus::Random random(seeded(seed));
  for (unsigned i = 0; i < pairs; ++i) {
    auto [source, target] = randomPair(random, options);
    ASSERT_EQ(corpus::verify(source), std::nullopt);
    ASSERT_EQ(corpus::verify(target), std::nullopt);
    Semantics semantics = randomSemantics(random, options.widths);
    while (isKnown && !isKnown(semantics))
      semantics = randomSemantics(random, options.widths);
    compare({std::move(source), std::move(target), semantics}, ask);
    if (HasFatalFailure())
      return;
  }
}

void Agreement::compare(const Question &question, const Ask &ask) {
  const Opinions opinions = ask(question);
  switch (opinions.word) {
  case Opinions::Word::agree:
    return counts.add(question.semantics, opinions.verdict);
  case Opinions::Word::undecided:
    ++counts.undecided;
    return;
  case Opinions::Word::bounded:
    ++counts.bounded;
    return;
  case Opinions::Word::untaken:
    ++counts.untaken;
    return;
  case Opinions::Word::disagree:
    FAIL() << asTest(question, opinions.how, ask);
  }
}

void Agreement::TearDown() {
  total.add(counts);
  print("pairs", counts);
}
void Agreement::SetUpTestSuite() { total = {}; }
void Agreement::TearDownTestSuite() { print("pairs together", total); }

} // namespace checker
