// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/infer.h"

#include "checker/rules/parse.h"
#include "checker/rules/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ctime>

namespace checker::rules {

using corpus::Flags;

namespace {

/// Those of the paper; the younger ones are not its subject.
constexpr std::array<Flags, 3> inferredFlags = {
    corpus::flag::nuw, corpus::flag::nsw, corpus::flag::exact};

/// Weakest sources that are proved and reported.
constexpr std::size_t maximumSources = 4;
/// Source flags whose subsets are tried.
constexpr std::size_t maximumSlots = 8;

struct Slot {
  NodeId node;
  Flags flag;
};

std::vector<Slot> slotsOf(const Rule &rule,
                          const std::vector<NodeId> &definitions) {
  std::vector<Slot> slots;
  for (const NodeId node : definitions) {
    const Node &n = rule.nodes[node];
    if (n.kind != Node::Kind::instruction)
      continue;
    for (const Flags flag : inferredFlags)
      if (info(n.opcode).allowedFlags.has(flag))
        slots.push_back({node, flag});
  }
  return slots;
}

/// The rule without the flags of the slots.
Rule without(Rule rule, const std::vector<Slot> &slots) {
  for (const Slot &slot : slots) {
    Flags &flags = rule.nodes[slot.node].flags;
    flags = flags.without(slot.flag);
  }
  return rule;
}

void give(Rule &rule, const Slot &slot) {
  Flags &flags = rule.nodes[slot.node].flags;
  flags = flags | slot.flag;
}

bool holdsAt(Prover &prover, const Rule &rule,
             const std::vector<Typing> &typings, const Semantics &semantics) {
  return std::all_of(typings.begin(), typings.end(), [&](const Typing &t) {
    return prover.check(rule, t, semantics).word == VerdictWord::refines;
  });
}

bool isProved(Prover &prover, const Rule &rule, const Semantics &semantics) {
  return prover.prove(rule, {semantics})[0].word == VerdictWord::refines;
}

} // namespace

std::vector<Typing> narrowTypings(const Rule &rule, unsigned width) {
  constexpr std::size_t maximum = 12;
  std::vector<Typing> typings;
  const auto isNarrow = [&](const Typing &typing) {
    for (unsigned c = 0; c < typing.size(); ++c)
      if (rule.types.isOpen(c) && typing[c] > width)
        return false;
    return true;
  };
  std::size_t seen = 0;
  constexpr std::size_t looked = 20'000;
  rule.types.forEach([&](const Typing &typing) {
    if (isNarrow(typing))
      typings.push_back(typing);
    return ++seen < looked;
  });
  if (typings.empty()) // what the rule asks for is wide
    rule.types.forEach([&](const Typing &typing) {
      typings.push_back(typing);
      return false;
    });
  // The wider ones say more.
  if (typings.size() > maximum)
    typings.erase(typings.begin(),
                  typings.end() - static_cast<std::ptrdiff_t>(maximum));
  return typings;
}

std::string flagsText(const Rule &rule, NodeId node, Flags flags) {
  std::string text;
  for (const corpus::FlagInfo &row : corpus::flagTable)
    if (flags.has(row.flag))
      text += fmt::format("{}{}", text.empty() ? "" : " ", row.spelling);
  return fmt::format("{} of {}", text, rule.nodes[node].name);
}

std::optional<Rule> withPrecondition(const Rule &rule,
                                     const std::string &condition) {
  Rule plain = rule;
  plain.precondition = {};
  plain.name = "x";
  const std::string text = toText(plain);
  const std::size_t line = text.find('\n') + 1;
  auto parsed = parseRules(text.substr(0, line) + "Pre: " + condition + "\n" +
                           text.substr(line));
  if (!parsed)
    return std::nullopt;
  Rule result = std::move((*parsed)[0]);
  result.name = rule.name;
  return result;
}

FlagInference inferFlags(const Rule &rule, const Semantics &semantics,
                         Prover &prover) {
  FlagInference result;
  if (rule.unsupported)
    return result;
  const std::clock_t start = std::clock();
  const std::vector<Typing> typings = narrowTypings(rule, 4);
  const auto mayBeRight = [&](const Rule &candidate) {
    result.isLate |= static_cast<double>(std::clock() - start) >
                     prover.limits().seconds * CLOCKS_PER_SEC;
    return !result.isLate && holdsAt(prover, candidate, typings, semantics);
  };
  const auto isRight = [&](const Rule &candidate) {
    return mayBeRight(candidate) && isProved(prover, candidate, semantics);
  };
  const auto withSlots = [](Rule candidate, const std::vector<Slot> &slots,
                            std::uint32_t subset) {
    for (std::size_t i = 0; i < slots.size(); ++i)
      if ((subset >> i & 1) != 0)
        give(candidate, slots[i]);
    return candidate;
  };

  // Sources, those with the fewest flags first; what has a right one inside is
  // right too, and not the weakest.
  std::vector<Slot> slots = slotsOf(rule, rule.source);
  const Rule bare = without(rule, slots);
  slots.resize(std::min(slots.size(), maximumSlots));
  std::vector<std::uint32_t> subsets(std::size_t(1) << slots.size());
  for (std::uint32_t i = 0; i < subsets.size(); ++i)
    subsets[i] = i;
  std::stable_sort(subsets.begin(), subsets.end(),
                   [](std::uint32_t a, std::uint32_t b) {
                     return std::popcount(a) < std::popcount(b);
                   });
  // If not even all flags help, no subset does.
  if (!isRight(withSlots(bare, slots, subsets.back())))
    subsets.clear();
  std::vector<std::uint32_t> right;
  for (const std::uint32_t subset : subsets) {
    if (result.weakestSources.size() == maximumSources)
      break;
    const bool hasSmaller =
        std::any_of(right.begin(), right.end(),
                    [&](std::uint32_t r) { return (subset & r) == r; });
    if (hasSmaller)
      continue;
    Rule candidate = withSlots(bare, slots, subset);
    if (isRight(candidate)) {
      right.push_back(subset);
      result.weakestSources.push_back(std::move(candidate));
    }
  }

  // Each flag of the target alone: two that are right are right together, as
  // either is poison of its own accord.
  if (!mayBeRight(rule))
    return result;
  Rule strongest = rule;
  std::vector<Slot> given;
  for (const Slot &slot : slotsOf(rule, rule.target)) {
    if (rule.nodes[slot.node].flags.has(slot.flag))
      continue;
    Rule candidate = rule;
    give(candidate, slot);
    if (mayBeRight(candidate)) {
      give(strongest, slot);
      given.push_back(slot);
    }
  }
  if (!isRight(strongest)) {
    strongest = rule;
    for (const Slot &slot : given) {
      Rule candidate = strongest;
      give(candidate, slot);
      if (isRight(candidate))
        strongest = std::move(candidate);
    }
  }
  if (!result.isLate)
    result.strongestTarget = std::move(strongest);
  return result;
}

namespace {

/// Conditions on one constant `A` and, below, on two.
constexpr std::array<std::string_view, 22> ofOne = {"A != 0",
                                                    "A == 0",
                                                    "A != 1",
                                                    "A != -1",
                                                    "A > 0",
                                                    "A >= 0",
                                                    "A < 0",
                                                    "isPowerOf2(A)",
                                                    "isPowerOf2OrZero(A)",
                                                    "isSignBit(A)",
                                                    "!isSignBit(A)",
                                                    "A u< width(A)",
                                                    "A u>= width(A)",
                                                    "A != width(A) - 1",
                                                    "A == width(A) - 1",
                                                    "A & 1 == 0",
                                                    "A & 1 != 0",
                                                    "isPowerOf2(A + 1)",
                                                    "isPowerOf2(-A)",
                                                    "isShiftedMask(A)",
                                                    "A == 1",
                                                    "A == -1"};
constexpr std::array<std::string_view, 25> ofTwo = {
    "A == B",
    "A != B",
    "A u< B",
    "A u<= B",
    "A < B",
    "A <= B",
    "A & B == 0",
    "A & B == A",
    "A == ~B",
    "A == -B",
    "A %u B == 0",
    "A % B == 0",
    "A + B u< width(A)",
    "A + B u>= width(A)",
    "A % (1 << B) == 0",
    "A %u (1 << B) == 0",
    "WillNotOverflowSignedAdd(A, B)",
    "WillNotOverflowUnsignedAdd(A, B)",
    "WillNotOverflowSignedSub(A, B)",
    "WillNotOverflowUnsignedSub(A, B)",
    "WillNotOverflowSignedMul(A, B)",
    "WillNotOverflowUnsignedMul(A, B)",
    "WillNotOverflowUnsignedShl(A, B)",
    "isPowerOf2(A - B)",
    "A | B == -1"};

std::string replaced(std::string_view pattern, const std::string &a,
                     const std::string &b) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const auto isLetter = [&](std::size_t at) {
      return at < pattern.size() &&
             std::isalnum(static_cast<unsigned char>(pattern[at])) != 0;
    };
    const bool isAlone = !isLetter(i + 1) && (i == 0 || !isLetter(i - 1));
    if (isAlone && (pattern[i] == 'A' || pattern[i] == 'B'))
      text += pattern[i] == 'A' ? a : b;
    else
      text += pattern[i];
  }
  return text;
}

/// One row of the table: constants at a typing, and what the engines say.
struct Row {
  const Typing *typing;
  std::vector<std::uint64_t> constants;
  bool isWanted;
};

/// A condition and the rows that it allows.
struct Candidate {
  std::string text;
  std::vector<bool> allows;
  unsigned wanted = 0; ///< rows that are wanted and allowed
  bool isSafe = true;  ///< none that is not wanted
};

Candidate joined(const Candidate &a, const Candidate &b, bool isAnd,
                 const std::vector<Row> &rows) {
  Candidate result;
  result.text = fmt::format("{} {} {}", a.text, isAnd ? "&&" : "||", b.text);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool allows =
        isAnd ? a.allows[i] && b.allows[i] : a.allows[i] || b.allows[i];
    result.allows.push_back(allows);
    result.wanted += allows && rows[i].isWanted ? 1 : 0;
    result.isSafe &= !allows || rows[i].isWanted;
  }
  return result;
}

std::vector<Candidate> vocabularyOf(const Rule &rule,
                                    const std::vector<Row> &rows) {
  std::vector<std::string> texts;
  for (const NodeId a : rule.symbols) {
    for (const std::string_view pattern : ofOne)
      texts.push_back(replaced(pattern, rule.nodes[a].name, ""));
    for (const NodeId b : rule.symbols) {
      const bool sameType = rule.types.classOf(rule.nodes[a].type) ==
                            rule.types.classOf(rule.nodes[b].type);
      if (a == b || !sameType)
        continue;
      for (const std::string_view pattern : ofTwo)
        texts.push_back(
            replaced(pattern, rule.nodes[a].name, rule.nodes[b].name));
    }
  }
  std::vector<Candidate> candidates;
  for (const std::string &text : texts) {
    const auto conditioned = withPrecondition(rule, text);
    if (!conditioned)
      continue;
    Candidate candidate;
    candidate.text = text;
    // The typings are of `rule`: classes of another order need to be found.
    for (const Row &row : rows) {
      Typing typing(conditioned->types.classes(), corpus::Type::maximumWidth);
      bool fits = true;
      for (std::size_t i = 0; i < rule.symbols.size(); ++i) {
        const auto width = static_cast<std::uint8_t>(
            typeOf(rule, *row.typing, rule.symbols[i]).width());
        const auto &types = conditioned->types;
        const NodeId symbol = conditioned->symbols[i];
        typing[types.classOf(conditioned->nodes[symbol].type)] = width;
        fits &= width > 1 || text.find('1') == text.npos;
      }
      const bool allows = fits && holds(*conditioned, typing, row.constants);
      candidate.allows.push_back(allows);
      candidate.wanted += allows && row.isWanted ? 1 : 0;
      candidate.isSafe &= !allows || row.isWanted;
    }
    if (candidate.wanted != 0)
      candidates.push_back(std::move(candidate));
  }
  return candidates;
}

/// Every choice of constants at a typing that the rule's own precondition
/// allows.
void addRows(const Rule &rule, const Typing &typing, const Semantics &semantics,
             bool wantRight, Prover &prover, std::vector<Row> &rows) {
  unsigned bits = 0;
  for (const NodeId symbol : rule.symbols)
    bits += typeOf(rule, typing, symbol).width();
  constexpr unsigned maximumBits = 10;
  if (bits > maximumBits)
    return;
  for (std::uint64_t n = 0; n < std::uint64_t(1) << bits; ++n) {
    Row row{&typing, {}, false};
    std::uint64_t rest = n;
    for (const NodeId symbol : rule.symbols) {
      const corpus::Type type = typeOf(rule, typing, symbol);
      row.constants.push_back(rest & type.mask());
      rest >>= type.width();
    }
    if (!holds(rule, typing, row.constants))
      continue;
    const Verdict verdict =
        prover.check(rule, typing, semantics, row.constants, false);
    if (verdict.word != VerdictWord::refines &&
        verdict.word != VerdictWord::wrong)
      continue;
    row.isWanted = (verdict.word == VerdictWord::refines) == wantRight;
    rows.push_back(std::move(row));
  }
}

/// The safe candidates that allow most, joined by || while that helps.
std::optional<Candidate> bestOf(std::vector<Candidate> candidates,
                                const std::vector<Row> &rows) {
  std::vector<Candidate> safe;
  for (const Candidate &candidate : candidates)
    if (candidate.isSafe)
      safe.push_back(candidate);
  const auto total = static_cast<unsigned>(std::count_if(
      rows.begin(), rows.end(), [](const Row &r) { return r.isWanted; }));
  const auto most = [](const std::vector<Candidate> &list) {
    return std::max_element(list.begin(), list.end(),
                            [](const Candidate &a, const Candidate &b) {
                              return a.wanted < b.wanted;
                            });
  };
  if (safe.empty() || most(safe)->wanted != total)
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (std::size_t j = i + 1; j < candidates.size(); ++j) {
        if (candidates[i].isSafe || candidates[j].isSafe)
          continue;
        Candidate both = joined(candidates[i], candidates[j], true, rows);
        if (both.isSafe && both.wanted != 0)
          safe.push_back(std::move(both));
      }
  if (safe.empty())
    return std::nullopt;
  Candidate best = *most(safe);
  constexpr unsigned maximumParts = 3;
  for (unsigned parts = 1; parts < maximumParts && best.wanted != total;
       ++parts) {
    std::optional<Candidate> better;
    for (const Candidate &candidate : safe) {
      Candidate more = joined(best, candidate, false, rows);
      if (more.wanted > (better ? better->wanted : best.wanted))
        better = std::move(more);
    }
    if (!better)
      break;
    best = std::move(*better);
  }
  return best;
}

} // namespace

std::optional<PreconditionInference>
inferPrecondition(const Rule &rule, const Semantics &semantics, Prover &prover,
                  bool wantRight) {
  if (rule.unsupported || rule.symbols.empty())
    return std::nullopt;
  const std::vector<Typing> typings = narrowTypings(rule, 5);
  std::vector<Row> rows;
  constexpr std::size_t enoughRows = 3000;
  for (auto typing = typings.rbegin(); typing != typings.rend(); ++typing)
    if (rows.size() < enoughRows)
      addRows(rule, *typing, semantics, wantRight, prover, rows);
  const auto wanted = static_cast<unsigned>(std::count_if(
      rows.begin(), rows.end(), [](const Row &r) { return r.isWanted; }));
  if (wanted == 0 || wanted == rows.size())
    return std::nullopt;
  const auto best = bestOf(vocabularyOf(rule, rows), rows);
  if (!best)
    return std::nullopt;
  const bool hasOwn = rule.precondition.kind != Condition::Kind::always;
  const bool isSum = best->text.find("||") != std::string::npos;
  const std::string inferred = isSum ? "(" + best->text + ")" : best->text;
  const std::string condition =
      hasOwn
          ? fmt::format("({}) && {}", toText(rule, rule.precondition), inferred)
          : best->text;
  auto conditioned = withPrecondition(rule, condition);
  if (!conditioned)
    return std::nullopt;
  PreconditionInference result;
  result.rule = std::move(*conditioned);
  result.allowed = best->wanted;
  result.right = wanted;
  result.wrong = static_cast<unsigned>(rows.size()) - wanted;
  if (wantRight && !isProved(prover, result.rule, semantics))
    return std::nullopt;
  return result;
}

} // namespace checker::rules
