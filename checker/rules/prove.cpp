// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/prove.h"

#include "checker/semantics/relevance.h"
#include "corpus/program/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <functional>

namespace checker::rules {

using corpus::Predicate;

namespace {

bool hasPoisonInputs(const Semantics &semantics) {
  return semantics.inputs != Inputs::defined;
}

bool hasUndefInputs(const Semantics &semantics) {
  return semantics.inputs == Inputs::poisonUndef ||
         semantics.inputs == Inputs::anySet;
}

/// The next way to choose the predicates that the rule leaves open; false
/// behind the last one.
bool advance(std::vector<Predicate> &choice) {
  for (Predicate &predicate : choice) {
    const auto next = static_cast<std::size_t>(predicate) + 1;
    predicate =
        corpus::predicateTable[next % corpus::predicateTable.size()].predicate;
    if (next < corpus::predicateTable.size())
      return true;
  }
  return false;
}

/// Calls `visit` with every pair that the typing stands for, until it returns
/// false.
void forEachCase(const Rule &rule, Choice choice, const Semantics &semantics,
                 const std::function<bool(const Choice &)> &visit) {
  choice.poisonBits = semantics.poisonUnit == PoisonUnit::bit;
  const std::uint32_t facts = hasPoisonInputs(semantics) && !choice.poisonBits
                                  ? inputsWithFacts(rule)
                                  : 0;
  choice.undefInputs = hasUndefInputs(semantics);
  std::vector<Predicate> predicates(rule.openPredicates.size(),
                                    corpus::predicateTable[0].predicate);
  do {
    choice.predicates = predicates;
    for (const Root &root : rule.roots) {
      choice.root = root;
      for (std::uint32_t poison = 0;; poison = (poison - facts) & facts) {
        choice.poison = poison;
        if (!visit(choice))
          return;
        if (poison == facts)
          break;
      }
    }
  } while (advance(predicates));
}

/// Numbers as the paper prints them: 0xF and not 0xf.
std::string withCapitalDigits(std::string text) {
  for (std::size_t at = text.find("0x"); at != text.npos;
       at = text.find("0x", at + 2))
    for (std::size_t i = at + 2;
         i < text.size() &&
         std::isxdigit(static_cast<unsigned char>(text[i])) != 0;
         ++i)
      text[i] =
          static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
  return text;
}

std::string_view complaintOf(Kind kind) {
  switch (kind) {
  case Kind::moreUb:
    return "Domain of definedness of Target is smaller than Source's for";
  case Kind::morePoison:
    return "Domain of poisoness of Target is smaller than Source's for";
  case Kind::moreUndef:
    return "Target has values that Source does not have for";
  default:
    return "Mismatch in values of";
  }
}

std::string counterexampleText(const Rule &rule, const Choice &choice,
                               const Instance &instance,
                               const Verdict &verdict) {
  const Node &root = rule.nodes[choice.root.source];
  const corpus::Type type = typeOf(rule, *choice.typing, choice.root.source);
  std::string text =
      fmt::format("ERROR: {} {} {}\n\nExample:\n", complaintOf(verdict.kind),
                  toString(type), root.name);
  if (!verdict.witness)
    return text;
  for (std::size_t i = 0; i < choice.predicates.size(); ++i)
    text += fmt::format("icmp {} = {}\n", rule.openPredicates[i],
                        info(choice.predicates[i]).spelling);
  const auto line = [&](std::string_view name, const NamedValue &value,
                        std::string_view content) {
    text += fmt::format("{} {} = {}\n", name, value.type,
                        withCapitalDigits(std::string(content)));
  };
  const Witness &witness = *verdict.witness;
  for (std::size_t i = 0; i < witness.inputs.size(); ++i) {
    const bool isPoison = i < 32 && (choice.poison >> i & 1) != 0;
    line(instance.parameters[i], witness.inputs[i],
         isPoison ? "poison" : witness.inputs[i].text);
  }
  const auto values = [&](const std::vector<NamedValue> &list,
                          const std::vector<std::string> &names,
                          bool isTarget) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty() || names[i] == root.name)
        continue;
      // What the target keeps of the source was shown there.
      const auto &shown = instance.sourceNames;
      if (isTarget &&
          std::find(shown.begin(), shown.end(), names[i]) != shown.end())
        continue;
      const auto value =
          std::find_if(list.begin(), list.end(), [&](const NamedValue &v) {
            return v.name == corpus::resultName(i);
          });
      if (value != list.end())
        line(names[i], *value, value->text);
    }
  };
  values(witness.sourceValues, instance.sourceNames, false);
  values(witness.targetValues, instance.targetNames, true);
  const auto outcome = [](std::string text) {
    constexpr std::string_view prefix = "returns ";
    if (text.starts_with(prefix))
      text.erase(0, prefix.size());
    return withCapitalDigits(std::move(text));
  };
  text += fmt::format("Source value: {}\nTarget value: {}\n",
                      outcome(witness.sourceOutcome),
                      outcome(witness.targetOutcome));
  return text;
}

/// A number as format() of values writes it: `0xd (13, -3)` or `3`.
std::uint64_t numberIn(const std::string &text) {
  return std::strtoull(text.c_str(), nullptr, 0);
}

/// To append something before the return.
corpus::Program withoutReturn(corpus::Program program) {
  program.instructions.pop_back();
  program.operands.pop_back();
  --program.blocks.back().end;
  return program;
}

std::string rangesOf(const std::map<unsigned, bool> &isRight, bool wanted) {
  std::string text;
  for (unsigned width = 1; width <= 64;) {
    const auto has = [&](unsigned w) {
      const auto found = isRight.find(w);
      return found != isRight.end() && found->second == wanted;
    };
    if (!has(width)) {
      ++width;
      continue;
    }
    unsigned last = width;
    while (has(last + 1))
      ++last;
    text += fmt::format("{}i{}", text.empty() ? "" : ", ", width);
    if (last > width)
      text += fmt::format("-i{}", last);
    width = last + 1;
  }
  return text;
}

} // namespace

unsigned readingRank(unsigned width) {
  switch (width) {
  case 4:
    return 0;
  case 8:
    return 1;
  default:
    return width > 1 ? width : 4;
  }
}

std::string widthsOf(const Proof &proof) {
  if (proof.hasOneOpenType) {
    const std::string wrong = rangesOf(proof.isRight, false);
    const std::string right = rangesOf(proof.isRight, true);
    std::string text;
    if (!wrong.empty())
      text += "wrong for " + wrong;
    if (!right.empty())
      text += (text.empty() ? "" : "; ") + ("right for " + right);
    return text.empty() ? "no width has an answer" : text;
  }
  if (proof.wrong != 0)
    return fmt::format("wrong for {} and right for {} of {} typings",
                       proof.wrong, proof.right, proof.typings);
  return fmt::format("right for {} of {} typings", proof.right, proof.typings);
}

std::vector<Typing> typingsOf(const Rule &rule, unsigned width) {
  std::vector<Typing> typings;
  rule.types.forEach(
      [&](const Typing &typing) {
        typings.push_back(typing);
        return true;
      },
      width);
  const auto rank = [&](const Typing &typing) {
    unsigned sum = 0;
    for (unsigned c = 0; c < typing.size(); ++c)
      if (rule.types.isOpen(c))
        sum += readingRank(typing[c]);
    return sum;
  };
  std::stable_sort(
      typings.begin(), typings.end(),
      [&](const Typing &a, const Typing &b) { return rank(a) < rank(b); });
  return typings;
}

Prover::Prover(const ProofLimits &limits, Engine engine)
    : limits_(limits), engine_(engine), checker_(limits.check),
      quick_(limits.check.quick()) {}

namespace {

/// The widest types, at most `width` wide, of which there are not too many.
unsigned feasibleWidth(const Rule &rule, unsigned width,
                       std::size_t maximumTypings) {
  for (;; width /= 2) {
    std::size_t count = 0;
    rule.types.forEach(
        [&](const Typing &) { return ++count <= maximumTypings; }, width);
    if (count <= maximumTypings || width == 1)
      return width;
  }
}

} // namespace

Verdict Prover::check(const Rule &rule, const Typing &typing,
                      const Semantics &semantics,
                      std::span<const std::uint64_t> constants,
                      bool hasPrecondition) {
  Choice choice;
  choice.typing = &typing;
  choice.constants = constants;
  choice.hasPrecondition = hasPrecondition;
  Verdict verdict;
  if (const auto lack = lackOf(rule, semantics)) {
    verdict.word = VerdictWord::unsupported;
    verdict.reason = *lack;
    return verdict;
  }
  forEachCase(rule, choice, semantics, [&](const Choice &c) {
    Instance instance;
    verdict =
        checkCase(rule, c, semantics, WantWitness::no, instance, checker_);
    return verdict.word == VerdictWord::refines;
  });
  return verdict;
}

namespace {

/// Products and quotients of words that are too wide to try them all.
bool isHard(const Rule &rule, const Choice &choice) {
  constexpr unsigned easyWidth = 8;
  if (typeOf(rule, *choice.typing, choice.root.source).width() <= easyWidth)
    return false;
  return std::any_of(rule.nodes.begin(), rule.nodes.end(), [](const Node &n) {
    return n.kind == Node::Kind::instruction &&
           (n.opcode == corpus::Opcode::mul ||
            corpus::info(n.opcode).has(corpus::trait::division));
  });
}

} // namespace

bool Prover::isRightInParts(const Rule &rule, const Choice &choice,
                            const Semantics &semantics, Checker &checker) {
  return isRightByOperands(rule, choice, semantics, checker) ||
         isRightByConstants(rule, choice, semantics, checker);
}

/// Both templates end in the same operation, and each operand of the target's
/// refines the source's wherever that is defined: then so does the result, as
/// every operation is monotone. Enough, not necessary, and the engines need not
/// look into a division.
bool Prover::isRightByOperands(const Rule &rule, const Choice &choice,
                               const Semantics &semantics, Checker &checker) {
  const Node &source = rule.nodes[choice.root.source];
  const Node &target = rule.nodes[choice.root.target];
  // A fork may tie the operands together.
  const bool hasForks =
      semantics.selectCondition == SelectCondition::nondeterministic ||
      std::any_of(rule.nodes.begin(), rule.nodes.end(), [](const Node &n) {
        return n.kind == Node::Kind::instruction &&
               n.opcode == corpus::Opcode::freeze;
      });
  if (hasForks || source.kind != Node::Kind::instruction ||
      target.kind != source.kind || target.opcode != source.opcode ||
      info(source.opcode).shape != corpus::Shape::binary ||
      target.flags != source.flags)
    return false;
  for (std::size_t i = 0; i < source.operands.size(); ++i) {
    if (source.operands[i] == target.operands[i])
      continue;
    Choice part = choice;
    part.root = {source.operands[i], target.operands[i]};
    part.executed = choice.executed.value_or(choice.root.source);
    Instance instance;
    if (checkCase(rule, part, semantics, WantWitness::no, instance, checker)
            .word != VerdictWord::refines)
      return false;
  }
  return true;
}

/// A constant that must be a power of two has few values: one check for each.
bool Prover::isRightByConstants(const Rule &rule, const Choice &choice,
                                const Semantics &semantics, Checker &checker) {
  if (!choice.constants.empty())
    return false;
  std::vector<Condition> parts = {rule.precondition};
  if (rule.precondition.kind == Condition::Kind::conjunction)
    parts = rule.precondition.operands;
  std::vector<std::uint64_t> constants(rule.symbols.size(), 0);
  for (std::size_t i = 0; i < rule.symbols.size(); ++i) {
    const bool isPower =
        std::any_of(parts.begin(), parts.end(), [&](const Condition &part) {
          return part.kind == Condition::Kind::analysis &&
                 part.analysis == Analysis::isPowerOf2 &&
                 part.arguments[0] == rule.symbols[i];
        });
    if (!isPower)
      continue;
    Choice part = choice;
    part.constants = constants;
    part.fixedConstants = std::uint32_t(1) << i;
    const unsigned width =
        typeOf(rule, *choice.typing, rule.symbols[i]).width();
    for (unsigned bit = 0; bit < width; ++bit) {
      constants[i] = std::uint64_t(1) << bit;
      Instance instance;
      if (checkCase(rule, part, semantics, WantWitness::no, instance, checker)
              .word != VerdictWord::refines)
        return false;
    }
    return true;
  }
  return false;
}

Verdict Prover::checkCase(const Rule &rule, const Choice &choice,
                          const Semantics &semantics, WantWitness wantWitness,
                          Instance &instance, Checker &checker) {
  // Where Z3 would try for long, parts first, as far as they are easy.
  const bool partsFirst = isHard(rule, choice);
  if (partsFirst && isRightInParts(rule, choice, semantics, quick_))
    return {};
  instance = instantiate(rule, choice);
  Verdict verdict = checker.check(instance.source, instance.target, semantics,
                                  wantWitness, engine_);
  const bool wasTried = partsFirst && &checker == &quick_;
  if (verdict.word == VerdictWord::undecided && !wasTried &&
      isRightInParts(rule, choice, semantics, checker))
    return {};
  return verdict;
}

/// An example in which the source is not poison is easier to understand, and
/// what the paper looks for. `constants` become those of the example.
std::string Prover::counterexample(const Rule &rule, const Choice &choice,
                                   const Semantics &semantics,
                                   const Instance &instance,
                                   const Verdict &verdict,
                                   std::vector<std::uint64_t> &constants) {
  Instance plain = instance;
  const corpus::Operand result = plain.source.operands.back();
  plain.source = withoutReturn(plain.source);
  const corpus::Operand isNumber = plain.source.append(
      corpus::Opcode::icmp, corpus::Type::integer(1), {result, result});
  plain.source.append(corpus::Opcode::assume, corpus::Type(), {isNumber});
  plain.source.append(corpus::Opcode::ret, corpus::Type(), {result});
  const Verdict other = checker_.check(plain.source, plain.target, semantics,
                                       WantWitness::yes, engine_);
  const bool isEasier = other.word == VerdictWord::wrong;
  const Verdict &shown = isEasier ? other : verdict;
  if (shown.witness)
    for (std::size_t i = 0; i < rule.symbols.size(); ++i)
      constants.push_back(
          numberIn(shown.witness->inputs[rule.inputs.size() + i].text));
  return counterexampleText(rule, choice, instance, shown);
}

/// A counterexample of a narrow typing has relatives in wide ones: constants
/// that are as small, as negative, or as far from the top. Where one of them is
/// wrong, no constants need be searched.
bool Prover::isWrongLike(const Rule &rule, const Typing &typing,
                         const Semantics &semantics,
                         std::span<const std::uint64_t> constants,
                         const Typing &narrow) {
  if (constants.empty() || constants.size() > 4)
    return false;
  constexpr unsigned ways = 3;
  unsigned combinations = 1;
  for (std::size_t i = 0; i < constants.size(); ++i)
    combinations *= ways;
  for (unsigned n = 0; n < combinations; ++n) {
    std::vector<std::uint64_t> wide;
    unsigned rest = n;
    for (std::size_t i = 0; i < constants.size(); ++i, rest /= ways) {
      const corpus::Type from = typeOf(rule, narrow, rule.symbols[i]);
      const corpus::Type to = typeOf(rule, typing, rule.symbols[i]);
      std::uint64_t value = constants[i];
      if (rest % ways == 1)
        value =
            static_cast<std::uint64_t>(corpus::signExtend(value, from.width()));
      else if (rest % ways == 2 && to.width() > from.width())
        value <<= to.width() - from.width();
      wide.push_back(value & to.mask());
    }
    if (check(rule, typing, semantics, wide).word == VerdictWord::wrong)
      return true;
  }
  return false;
}

std::vector<Proof> Prover::prove(const Rule &rule,
                                 const std::vector<Semantics> &semantics) {
  std::vector<Proof> proofs(semantics.size());
  if (rule.unsupported) {
    for (Proof &proof : proofs) {
      proof.word = VerdictWord::unsupported;
      proof.reason = *rule.unsupported;
    }
    return proofs;
  }
  const std::clock_t start = std::clock();
  const auto isLate = [&] {
    const std::clock_t now = std::clock();
    return static_cast<double>(now - start) >
               limits_.seconds * CLOCKS_PER_SEC ||
           static_cast<double>(now - begin_) >
               limits_.allSeconds * CLOCKS_PER_SEC;
  };
  const unsigned width =
      feasibleWidth(rule, limits_.width, limits_.maximumTypings);
  const std::vector<Typing> typings = typingsOf(rule, width);
  std::vector<unsigned> open;
  for (unsigned c = 0; c < rule.types.classes(); ++c)
    if (rule.types.isOpen(c))
      open.push_back(c);

  struct Progress {
    unsigned failures = 0;
    std::vector<std::uint64_t> constants; ///< of the counterexample
    const Typing *wrongAt = nullptr;
  };
  std::vector<Progress> progress(semantics.size());
  for (std::size_t s = 0; s < semantics.size(); ++s) {
    Proof &proof = proofs[s];
    proof.typings = static_cast<unsigned>(typings.size());
    proof.hasOneOpenType = open.size() == 1;
    if (const auto lack = lackOf(rule, semantics[s])) {
      proof.word = VerdictWord::unsupported;
      proof.reason = *lack;
    } else if (width < limits_.width) {
      proof.reason = fmt::format("more than {} typings: open types of more "
                                 "than {} bits are not looked at",
                                 limits_.maximumTypings, width);
    }
  }
  for (const Typing &typing : typings) {
    for (std::size_t s = 0; s < semantics.size(); ++s) {
      Proof &proof = proofs[s];
      Progress &state = progress[s];
      if (proof.word == VerdictWord::unsupported)
        continue;
      const auto stopsLate = [&] {
        if (!isLate())
          return false;
        if (proof.reason.empty())
          proof.reason = fmt::format("no answer for all typings within {} s",
                                     limits_.seconds);
        return true;
      };
      if (stopsLate())
        continue;
      const std::clock_t begin = std::clock();
      bool isRight = true;
      bool isWrong = state.wrongAt != nullptr &&
                     isWrongLike(rule, typing, semantics[s], state.constants,
                                 *state.wrongAt);
      if (!isWrong && state.failures >= limits_.giveUpAfter)
        continue;
      Choice choice;
      choice.typing = &typing;
      if (!isWrong)
        forEachCase(rule, choice, semantics[s], [&](const Choice &c) {
          if (stopsLate()) {
            isRight = false;
            return false;
          }
          const bool isFirst = state.wrongAt == nullptr;
          Instance instance;
          const Verdict verdict = checkCase(
              rule, c, semantics[s],
              isFirst ? WantWitness::yes : WantWitness::no, instance, checker_);
          if (verdict.word == VerdictWord::refines)
            return true;
          isRight = false;
          isWrong = verdict.word == VerdictWord::wrong;
          if (isWrong && isFirst) {
            state.wrongAt = &typing;
            proof.kind = verdict.kind;
            proof.counterexample = counterexample(
                rule, c, semantics[s], instance, verdict, state.constants);
          } else if (!isWrong && ++state.failures == 1) {
            std::string widths;
            for (const unsigned o : open)
              widths +=
                  fmt::format("{}i{}", widths.empty() ? "" : ", ", typing[o]);
            proof.reason = widths.empty() ? verdict.reason
                                          : fmt::format("from {} on: {}",
                                                        widths, verdict.reason);
          }
          return !isWrong; // undecided here: another case may be wrong
        });
      if (isWrong)
        ++proof.wrong;
      else if (isRight)
        ++proof.right;
      if (proof.hasOneOpenType && (isWrong || isRight))
        proof.isRight[typing[open[0]]] = !isWrong;
      proof.seconds +=
          static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }
  }
  for (Proof &proof : proofs) {
    if (proof.word == VerdictWord::unsupported)
      continue;
    const bool isWhole = width == limits_.width;
    if (proof.wrong != 0) {
      proof.word = VerdictWord::wrong;
    } else if (proof.typings == 0) {
      proof.word = VerdictWord::unsupported;
      proof.reason = fmt::format(
          "no integer types of 1 to {} bits satisfy the rule", limits_.width);
    } else if (proof.right != proof.typings || !isWhole) {
      proof.word = VerdictWord::undecided;
    }
    if (proof.right + proof.wrong == proof.typings && proof.typings != 0 &&
        isWhole)
      proof.reason.clear();
  }
  return proofs;
}

} // namespace checker::rules
