// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/generalise.h"

#include "checker/rules/infer.h"
#include "checker/rules/parse.h"
#include "checker/rules/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace checker::rules {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Shape;
using corpus::Type;

namespace {

/// How much of a source's constants a rule leaves open, the most first.
enum class Openness : std::uint8_t {
  all,        ///< every constant is a symbol
  butSpecial, ///< 0, 1 and -1 stay
  none,
};
constexpr std::array<Openness, 3> opennesses = {
    Openness::all, Openness::butSpecial, Openness::none};

/// What a constant of the target may be made of: one or two constants of the
/// source of the same width. Simple ones first; nothing where it is not
/// defined.
struct Expression {
  std::string_view text; ///< over A and B
  unsigned operands;
  std::optional<std::uint64_t> (*value)(std::uint64_t a, std::uint64_t b,
                                        Type type);
};

std::uint64_t signedOf(std::uint64_t bits, Type type) {
  return static_cast<std::uint64_t>(corpus::signExtend(bits, type.width()));
}

constexpr std::array<Expression, 25> expressions = {{
    {"A", 1, [](auto a, auto, Type) { return std::optional(a); }},
    {"-A", 1, [](auto a, auto, Type) { return std::optional(-a); }},
    {"~A", 1, [](auto a, auto, Type) { return std::optional(~a); }},
    {"0", 0, [](auto, auto, Type) { return std::optional<std::uint64_t>(0); }},
    {"-1", 0,
     [](auto, auto, Type) { return std::optional(~std::uint64_t(0)); }},
    {"1", 0, [](auto, auto, Type) { return std::optional<std::uint64_t>(1); }},
    {"A + B", 2, [](auto a, auto b, Type) { return std::optional(a + b); }},
    {"A - B", 2, [](auto a, auto b, Type) { return std::optional(a - b); }},
    {"A & B", 2, [](auto a, auto b, Type) { return std::optional(a & b); }},
    {"A | B", 2, [](auto a, auto b, Type) { return std::optional(a | b); }},
    {"A ^ B", 2, [](auto a, auto b, Type) { return std::optional(a ^ b); }},
    {"A * B", 2, [](auto a, auto b, Type) { return std::optional(a * b); }},
    {"A << B", 2,
     [](auto a, auto b, Type t) {
       return b < t.width() ? std::optional(a << b) : std::nullopt;
     }},
    {"A u>> B", 2,
     [](auto a, auto b, Type t) {
       return b < t.width() ? std::optional(a >> b) : std::nullopt;
     }},
    {"1 << A", 1,
     [](auto a, auto, Type t) {
       return a < t.width() ? std::optional(std::uint64_t(1) << a)
                            : std::nullopt;
     }},
    {"log2(A)", 1,
     [](auto a, auto, Type) {
       return std::has_single_bit(a)
                  ? std::optional<std::uint64_t>(std::bit_width(a) - 1)
                  : std::nullopt;
     }},
    {"A + 1", 1, [](auto a, auto, Type) { return std::optional(a + 1); }},
    {"A - 1", 1, [](auto a, auto, Type) { return std::optional(a - 1); }},
    {"-1 << A", 1,
     [](auto a, auto, Type t) {
       return a < t.width() ? std::optional(~std::uint64_t(0) << a)
                            : std::nullopt;
     }},
    {"-1 u>> A", 1,
     [](auto a, auto, Type t) {
       return a < t.width() ? std::optional(t.mask() >> a) : std::nullopt;
     }},
    {"A /u B", 2,
     [](auto a, auto b, Type) {
       return b != 0 ? std::optional(a / b) : std::nullopt;
     }},
    {"A %u B", 2,
     [](auto a, auto b, Type) {
       return b != 0 ? std::optional(a % b) : std::nullopt;
     }},
    {"width(A) - 1", 1,
     [](auto, auto, Type t) {
       return std::optional<std::uint64_t>(t.width() - 1);
     }},
    {"width(A) - A", 1,
     [](auto a, auto, Type t) { return std::optional(t.width() - a); }},
    {"(1 << A) % B", 2,
     [](auto a, auto b, Type t) -> std::optional<std::uint64_t> {
       if (a >= t.width() || b == 0)
         return std::nullopt;
       const std::uint64_t power =
           signedOf(std::uint64_t(1) << a & t.mask(), t);
       const auto divisor = static_cast<std::int64_t>(signedOf(b, t));
       return divisor == -1 ? 0
                            : static_cast<std::uint64_t>(
                                  static_cast<std::int64_t>(power) % divisor);
     }},
}};

bool isSayable(const Program &program) {
  if (!program.isStraightLine() || !program.callees.empty() ||
      !program.callAttributes.empty() || program.signature.returnType.isVoid())
    return false;
  return std::all_of(
      program.instructions.begin(), program.instructions.end(),
      [](const Instruction &instruction) {
        const Shape shape = info(instruction.opcode).shape;
        return instruction.opcode == Opcode::ret ||
               (instruction.type.isInteger() &&
                (shape == Shape::binary || shape == Shape::compare ||
                 shape == Shape::select || shape == Shape::widen ||
                 shape == Shape::narrow ||
                 instruction.opcode == Opcode::freeze));
      });
}

/// The instructions that the result needs.
std::vector<bool> neededOf(const Program &program) {
  std::vector<bool> needed(program.instructions.size(), false);
  needed.back() = true;
  for (std::size_t i = needed.size(); i-- > 0;)
    if (needed[i])
      for (const Operand &operand : program.operandsOf(program.instructions[i]))
        if (operand.is(Operand::Kind::instruction))
          needed[operand.payload] = true;
  return needed;
}

/// The constants of what the result needs, in order.
std::vector<Operand> constantsOf(const Program &program) {
  const std::vector<bool> needed = neededOf(program);
  std::vector<Operand> constants;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i])
      for (const Operand &operand : program.operandsOf(program.instructions[i]))
        if (operand.is(Operand::Kind::constant))
          constants.push_back(operand);
  return constants;
}

bool isSpecial(const Operand &constant) {
  return constant.payload <= 1 || constant.payload == constant.type.mask();
}

std::string literalText(const Operand &constant) {
  return std::to_string(
      corpus::signExtend(constant.payload, constant.type.width()));
}

/// Writes both templates, given words for the constants; `typed`: for the types
/// of the functions alone.
class Template {
public:
  explicit Template(bool typed) : typed_(typed) {}

  /// `words`: one for each of constantsOf().
  std::string source(const Program &program,
                     const std::vector<std::string> &words) {
    return write(program, words, "%v", "");
  }
  std::string target(const Program &program,
                     const std::vector<std::string> &words) {
    return write(program, words, "%w", root_);
  }

private:
  std::string write(const Program &program,
                    const std::vector<std::string> &words,
                    std::string_view prefix, const std::string &root) {
    const std::vector<bool> needed = neededOf(program);
    std::vector<std::string> names(program.instructions.size());
    std::string text;
    std::size_t word = 0;
    const Operand &result = program.operands.back();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!needed[i])
        continue;
      const Instruction &instruction = program.instructions[i];
      std::vector<std::string> operands;
      for (const Operand &operand : program.operandsOf(instruction))
        operands.push_back(operand.is(Operand::Kind::constant) ? words[word++]
                           : operand.is(Operand::Kind::argument)
                               ? fmt::format("%a{}", operand.payload)
                           : operand.is(Operand::Kind::instruction)
                               ? names[operand.payload]
                               : "undef");
      const bool isReturn = instruction.opcode == Opcode::ret;
      if (isReturn && root.empty()) {
        root_ = operands[0];
        break;
      }
      const auto typed = [&](std::size_t operand) {
        return typed_ ? fmt::format(
                            "{} {}",
                            toString(
                                program.operandsOf(instruction)[operand].type),
                            operands[operand])
                      : operands[operand];
      };
      std::string right;
      if (isReturn) {
        right = typed(0);
        if (operands[0] == root && result.is(Operand::Kind::instruction))
          break;
      } else {
        right = info(instruction.opcode).spelling;
        for (const corpus::FlagInfo &row : corpus::flagTable)
          if (instruction.flags.has(row.flag))
            right += fmt::format(" {}", row.spelling);
        if (instruction.opcode == Opcode::icmp)
          right += fmt::format(" {}", info(instruction.predicate).spelling);
        for (std::size_t k = 0; k < operands.size(); ++k)
          right += fmt::format("{} {}", k == 0 ? "" : ",", typed(k));
        const Shape shape = info(instruction.opcode).shape;
        if (typed_ && (shape == Shape::widen || shape == Shape::narrow))
          right += fmt::format(" to {}", toString(instruction.type));
      }
      const bool isRoot = !root.empty() &&
                          (isReturn || (result.is(Operand::Kind::instruction) &&
                                        result.payload == i));
      // What the source has already is not made again.
      if (const auto known = made_.find(right);
          known != made_.end() && !isRoot) {
        names[i] = known->second;
        continue;
      }
      names[i] = isRoot ? root : fmt::format("{}{}", prefix, i);
      made_.emplace(right, names[i]);
      text += fmt::format("{} = {}\n", names[i], right);
    }
    return text;
  }

  bool typed_;
  std::string root_;
  std::map<std::string, std::string> made_;
};

struct Candidate {
  Rule rule;
  std::optional<Rule> repaired; ///< of a rewrite that has a repaired target
};

/// One way to write the rewrites as a rule.
class Attempt {
public:
  Attempt(std::span<const Rewrite> seen, Openness openness, bool typed)
      : seen_(seen), openness_(openness), typed_(typed) {}

  /// Rules whose target constants fit everything seen, the simplest first.
  std::vector<Candidate> candidates();
  /// The values of the symbols in the first rewrite. After candidates().
  std::vector<std::uint64_t> constants() const;
  /// The types of the first rewrite, if the rule may have them.
  std::optional<Typing> typingOf(const Rule &rule) const;

private:
  std::optional<Rule> ruleOf(const Program &target,
                             const std::vector<std::string> &words) const;
  void nameSource();
  std::vector<std::string> wordsFor(std::size_t constant);
  std::span<const Rewrite> seen_;
  Openness openness_;
  bool typed_;
  std::vector<std::string> sourceWords_;
  std::vector<std::size_t> symbols_; ///< index of a constant that it stands for
};

void Attempt::nameSource() {
  const std::vector<Operand> constants = constantsOf(seen_[0].source);
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const bool isOpen =
        openness_ == Openness::all ||
        (openness_ == Openness::butSpecial && !isSpecial(constants[i]));
    if (!isOpen) {
      sourceWords_.push_back(literalText(constants[i]));
      continue;
    }
    // Equal constants are one symbol where they are equal in all rewrites.
    const auto same =
        std::find_if(symbols_.begin(), symbols_.end(), [&](std::size_t s) {
          return std::all_of(seen_.begin(), seen_.end(), [&](const Rewrite &r) {
            const std::vector<Operand> all = constantsOf(r.source);
            return all[s] == all[i];
          });
        });
    sourceWords_.push_back(fmt::format("C{}", same - symbols_.begin() + 1));
    if (same == symbols_.end())
      symbols_.push_back(i);
  }
}

std::string substituted(std::string_view text, std::size_t a, std::size_t b) {
  std::string result;
  for (const char c : text)
    result += c == 'A'   ? fmt::format("C{}", a + 1)
              : c == 'B' ? fmt::format("C{}", b + 1)
                         : std::string(1, c);
  return result;
}

std::vector<std::string> Attempt::wordsFor(std::size_t constant) {
  const auto fits = [&](const Expression &expression, std::size_t a,
                        std::size_t b) {
    return std::all_of(seen_.begin(), seen_.end(), [&](const Rewrite &r) {
      const Operand wanted = constantsOf(r.target)[constant];
      std::uint64_t x = 0;
      std::uint64_t y = 0;
      const std::vector<Operand> all = constantsOf(r.source);
      if (expression.operands > 0) {
        if (all[symbols_[a]].type != wanted.type)
          return false;
        x = all[symbols_[a]].payload;
      }
      if (expression.operands > 1) {
        if (all[symbols_[b]].type != wanted.type)
          return false;
        y = all[symbols_[b]].payload;
      }
      const auto value = expression.value(x, y, wanted.type);
      return value && (*value & wanted.type.mask()) == wanted.payload;
    });
  };
  std::vector<std::string> words;
  for (const Expression &expression : expressions) {
    const std::size_t firsts = expression.operands > 0 ? symbols_.size() : 1;
    const std::size_t seconds = expression.operands > 1 ? symbols_.size() : 1;
    for (std::size_t a = 0; a < firsts; ++a)
      for (std::size_t b = 0; b < seconds; ++b)
        if ((expression.operands < 2 || a != b) && fits(expression, a, b))
          words.push_back(substituted(expression.text, a, b));
  }
  const Operand first = constantsOf(seen_[0].target)[constant];
  const bool isAlways =
      std::all_of(seen_.begin(), seen_.end(), [&](const Rewrite &r) {
        return literalText(constantsOf(r.target)[constant]) ==
               literalText(first);
      });
  if (isAlways)
    words.push_back(literalText(first));
  return words;
}

std::vector<std::uint64_t> Attempt::constants() const {
  std::vector<std::uint64_t> values;
  const std::vector<Operand> all = constantsOf(seen_[0].source);
  for (const std::size_t symbol : symbols_)
    values.push_back(all[symbol].payload);
  return values;
}

std::optional<Typing> Attempt::typingOf(const Rule &rule) const {
  Typing typing(rule.types.classes(), corpus::Type::maximumWidth);
  const std::vector<Operand> constants = constantsOf(seen_[0].source);
  for (const NodeId node : rule.symbols)
    typing[rule.types.classOf(rule.nodes[node].type)] =
        static_cast<std::uint8_t>(
            constants[symbols_[std::stoul(rule.nodes[node].name.substr(1)) - 1]]
                .type.width());
  // `%a0` is an argument, and `%v0` an instruction of the source.
  for (const auto *nodes : {&rule.inputs, &rule.source})
    for (const NodeId node : *nodes) {
      const std::string &name = rule.nodes[node].name;
      const std::size_t index = std::stoul(name.substr(2));
      const Type type = name[1] == 'a'
                            ? seen_[0].source.signature.parameters[index].type
                            : seen_[0].source.instructions[index].type;
      typing[rule.types.classOf(rule.nodes[node].type)] =
          static_cast<std::uint8_t>(type.width());
    }
  for (unsigned c = 0; c < typing.size(); ++c)
    if (typing[c] < rule.types.minimum(c))
      return std::nullopt;
  return typing;
}

std::optional<Rule>
Attempt::ruleOf(const Program &target,
                const std::vector<std::string> &words) const {
  Template writer(typed_);
  std::string text = "Name: generalised\n";
  text += writer.source(seen_[0].source, sourceWords_);
  text += "=>\n" + writer.target(target, words);
  auto parsed = parseRules(text);
  if (!parsed || (*parsed)[0].unsupported)
    return std::nullopt;
  return std::move((*parsed)[0]);
}

std::vector<Candidate> Attempt::candidates() {
  nameSource();
  constexpr std::size_t maximumRules = 40;
  std::vector<std::vector<std::string>> choices = {{}};
  const std::size_t constants = constantsOf(seen_[0].target).size();
  for (std::size_t i = 0; i < constants; ++i) {
    std::vector<std::vector<std::string>> longer;
    for (const auto &choice : choices)
      for (const std::string &word : wordsFor(i)) {
        if (longer.size() == maximumRules)
          break;
        longer.push_back(choice);
        longer.back().push_back(word);
      }
    choices = std::move(longer);
  }
  // What a repair adds has no constants of its own.
  const std::optional<Program> &repaired = seen_[0].repaired;
  const bool hasRepair = repaired && isSayable(*repaired) &&
                         constantsOf(*repaired) == constantsOf(seen_[0].target);
  std::vector<Candidate> candidates;
  for (const auto &choice : choices)
    if (auto rule = ruleOf(seen_[0].target, choice))
      candidates.push_back({std::move(*rule), hasRepair
                                                  ? ruleOf(*repaired, choice)
                                                  : std::nullopt});
  return candidates;
}

bool sameShape(const Program &a, const Program &b) {
  if (a.instructions.size() != b.instructions.size() ||
      constantsOf(a).size() != constantsOf(b).size())
    return false;
  for (std::size_t i = 0; i < a.instructions.size(); ++i)
    if (a.instructions[i].opcode != b.instructions[i].opcode ||
        a.instructions[i].predicate != b.instructions[i].predicate)
      return false;
  return true;
}

/// A constant is what it is: a rule that has it as a number says so better.
bool pinsConstant(const Rule &rule, const Condition &condition) {
  if (condition.kind == Condition::Kind::comparison &&
      condition.predicate == corpus::Predicate::eq)
    return std::any_of(condition.arguments.begin(), condition.arguments.end(),
                       [&](NodeId node) {
                         return rule.nodes[node].kind == Node::Kind::literal;
                       });
  return std::any_of(
      condition.operands.begin(), condition.operands.end(),
      [&](const Condition &part) { return pinsConstant(rule, part); });
}

/// At every one of these typings the rule is right of constants like those
/// seen: as small, as negative, or as far from the top.
bool isRightLike(const Rule &rule, const Typing &seen,
                 const std::vector<std::uint64_t> &constants,
                 const std::vector<Typing> &typings, const Semantics &semantics,
                 Prover &prover) {
  constexpr unsigned ways = 3;
  return std::all_of(typings.begin(), typings.end(), [&](const Typing &typing) {
    for (unsigned way = 0; way < ways; ++way) {
      std::vector<std::uint64_t> like;
      for (std::size_t i = 0; i < constants.size(); ++i) {
        const Type from = corpus::Type::integer(
            seen[rule.types.classOf(rule.nodes[rule.symbols[i]].type)]);
        const Type to = checker::rules::typeOf(rule, typing, rule.symbols[i]);
        std::uint64_t value =
            way == 1 ? signedOf(constants[i], from) : constants[i];
        if (way == 2 && to.width() > from.width())
          value <<= to.width() - from.width();
        like.push_back(value & to.mask());
      }
      if (prover.check(rule, typing, semantics, like, false).word ==
          VerdictWord::refines)
        return true;
    }
    return false;
  });
}

/// The most general rule of which the same repair makes a right one, if need be
/// under a precondition that what was seen fulfils: it is wrong for the same
/// reason, and not because it says too much.
std::optional<Generalisation> generaliseRepaired(std::span<const Rewrite> seen,
                                                 const Semantics &semantics,
                                                 Prover &prover) {
  struct Way {
    Openness openness;
    bool infers; ///< a precondition, which takes long
  };
  for (const bool typed : {false, true})
    for (const Way way : {Way{Openness::all, false},
                          {Openness::butSpecial, false},
                          {Openness::all, true},
                          {Openness::butSpecial, true},
                          {Openness::none, false}}) {
      Attempt attempt(seen, way.openness, typed);
      for (Candidate &candidate : attempt.candidates()) {
        if (!candidate.repaired)
          continue;
        Rule &repaired = *candidate.repaired;
        const std::vector<std::uint64_t> constants = attempt.constants();
        const auto typing = attempt.typingOf(repaired);
        if (!typing ||
            prover.check(repaired, *typing, semantics, constants).word !=
                VerdictWord::refines)
          continue;
        const std::vector<Typing> narrow = narrowTypings(repaired, 4);
        const bool isWrong =
            std::any_of(narrow.begin(), narrow.end(), [&](const Typing &t) {
              return prover.check(repaired, t, semantics).word ==
                     VerdictWord::wrong;
            });
        if (isWrong) {
          if (!way.infers || !isRightLike(repaired, *typing, constants, narrow,
                                          semantics, prover))
            continue;
          auto inferred = inferPrecondition(repaired, semantics, prover);
          if (!inferred ||
              pinsConstant(inferred->rule, inferred->rule.precondition))
            continue;
          const auto conditioned = attempt.typingOf(inferred->rule);
          if (!conditioned || !holds(inferred->rule, *conditioned, constants))
            continue;
          repaired = std::move(inferred->rule);
          auto rule = withPrecondition(candidate.rule,
                                       toText(repaired, repaired.precondition));
          if (!rule)
            continue;
          candidate.rule = std::move(*rule);
        } else if (way.infers || prover.prove(repaired, {semantics})[0].word ==
                                     VerdictWord::wrong) {
          continue;
        }
        Generalisation result;
        result.proof = prover.prove(candidate.rule, {semantics})[0];
        if (result.proof.word != VerdictWord::wrong)
          continue;
        if (const auto when =
                inferPrecondition(candidate.rule, semantics, prover, false))
          result.wrongWhen = toText(when->rule, when->rule.precondition);
        result.rule = std::move(candidate.rule);
        result.repaired = std::move(repaired);
        return result;
      }
    }
  return std::nullopt;
}

} // namespace

std::optional<Generalisation> generalise(std::span<const Rewrite> seen,
                                         const Semantics &semantics,
                                         Prover &prover) {
  if (seen.empty() || !isSayable(seen[0].source) ||
      !isSayable(seen[0].target) ||
      !seen[0].source.operands.back().is(Operand::Kind::instruction))
    return std::nullopt;
  std::vector<Rewrite> alike;
  for (const Rewrite &rewrite : seen)
    if (sameShape(rewrite.source, seen[0].source) &&
        sameShape(rewrite.target, seen[0].target))
      alike.push_back(rewrite);

  Checker checker;
  const bool isWrong =
      checker.check(seen[0].source, seen[0].target, semantics, WantWitness::no)
          .word == VerdictWord::wrong;
  if (isWrong)
    if (auto result = generaliseRepaired(alike, semantics, prover))
      return result;
  for (const Openness openness : opennesses) {
    auto candidates = Attempt(alike, openness, false).candidates();
    for (Candidate &candidate : candidates) {
      Rule &rule = candidate.rule;
      Generalisation result;
      result.proof = prover.prove(rule, {semantics})[0];
      if (isWrong != (result.proof.word == VerdictWord::wrong))
        continue;
      if (isWrong) {
        if (const auto when = inferPrecondition(rule, semantics, prover, false))
          result.wrongWhen = toText(when->rule, when->rule.precondition);
        if (auto right = inferPrecondition(rule, semantics, prover))
          result.repaired = std::move(right->rule);
        else if (auto flags = inferFlags(rule, semantics, prover);
                 !flags.weakestSources.empty())
          result.repaired = std::move(flags.weakestSources[0]);
      }
      result.rule = std::move(rule);
      return result;
    }
    if (isWrong)
      continue;
    // A right rewrite is right for a reason: an expression that agrees on what
    // was seen need not be, and is right at times.
    for (const Candidate &candidate : candidates)
      if (auto conditioned =
              inferPrecondition(candidate.rule, semantics, prover)) {
        Generalisation result;
        result.proof = prover.prove(conditioned->rule, {semantics})[0];
        result.rule = std::move(conditioned->rule);
        return result;
      }
  }
  return std::nullopt;
}

std::string toText(const Generalisation &g) {
  std::string text = widthsOf(g.proof);
  if (!g.wrongWhen.empty())
    text += fmt::format(", when {}", g.wrongWhen);
  text += "\n\n" + toText(g.rule);
  if (g.repaired)
    text += fmt::format("\nright as\n\n{}", toText(*g.repaired));
  return text;
}

} // namespace checker::rules
