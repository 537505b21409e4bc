// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/instantiate.h"

#include "checker/lane_ops/concrete.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>

namespace checker::rules {

using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
using corpus::Program;
using corpus::Type;

namespace {

constexpr Type boolean() { return Type::integer(1); }

bool isKnownValue(const Rule &rule, const Node &node) {
  return node.kind == Node::Kind::function &&
         node.function >= Function::numSignBits &&
         !rule.isConstant(node.operands[0]);
}

/// An exact division of arguments and constants.
bool isExactDivision(const Rule &rule, NodeId id) {
  const Node &node = rule.nodes[id];
  return node.kind == Node::Kind::instruction &&
         (node.opcode == Opcode::udiv || node.opcode == Opcode::sdiv) &&
         node.flags.has(corpus::flag::exact) &&
         std::none_of(node.operands.begin(), node.operands.end(),
                      [&](NodeId o) {
                        return rule.nodes[o].isTemporary() ||
                               rule.nodes[o].kind == Node::Kind::undef;
                      });
}

/// The node and everything that it is computed from; not what only has a width.
void collect(const Rule &rule, NodeId node, std::vector<bool> &cone) {
  if (cone[node])
    return;
  cone[node] = true;
  const Node &n = rule.nodes[node];
  if (n.kind == Node::Kind::function && n.function == Function::width)
    return;
  for (const NodeId operand : n.operands)
    collect(rule, operand, cone);
}

/// What a fact is claimed of.
enum class Subject : std::uint8_t {
  input,
  frozen,   ///< never poison, never a set
  computed, ///< may be poison though no input is
};

Subject subjectOf(const Rule &rule, NodeId node) {
  const Node &n = rule.nodes[node];
  if (n.kind == Node::Kind::copy)
    return subjectOf(rule, n.operands[0]);
  if (n.kind == Node::Kind::input)
    return Subject::input;
  return n.kind == Node::Kind::instruction && n.opcode == Opcode::freeze
             ? Subject::frozen
             : Subject::computed;
}

void collectSubjects(const Rule &rule, const Condition &condition,
                     std::vector<NodeId> &subjects) {
  for (const Condition &part : condition.operands)
    collectSubjects(rule, part, subjects);
  if (condition.kind == Condition::Kind::analysis &&
      condition.analysis != Analysis::hasOneUse)
    for (const NodeId node : condition.arguments)
      if (!rule.isConstant(node))
        subjects.push_back(node);
}

/// A part of what a rule presupposes, and the values of which it claims facts.
struct Claim {
  const Condition *condition = nullptr; ///< or
  NodeId known = 0;                     ///< what an analysis returns
  std::vector<NodeId> subjects;
};

void collectClaims(const Rule &rule, const Condition &condition,
                   std::vector<Claim> &claims) {
  if (condition.kind == Condition::Kind::conjunction) {
    for (const Condition &part : condition.operands)
      collectClaims(rule, part, claims);
    return;
  }
  Claim claim;
  claim.condition = &condition;
  collectSubjects(rule, condition, claim.subjects);
  claims.push_back(std::move(claim));
}

std::vector<Claim> claimsOf(const Rule &rule) {
  std::vector<Claim> claims;
  collectClaims(rule, rule.precondition, claims);
  for (NodeId node = 0; node < rule.nodes.size(); ++node)
    if (isKnownValue(rule, rule.nodes[node]))
      claims.push_back({nullptr, node, {rule.nodes[node].operands[0]}});
  return claims;
}

/// An assume of it would leave out inputs of which nothing is claimed: what is
/// computed may be poison, and so may single bits of an input.
bool needsGuard(const Rule &rule, const Claim &claim, bool poisonBits) {
  return std::any_of(claim.subjects.begin(), claim.subjects.end(),
                     [&](NodeId node) {
                       const Subject subject = subjectOf(rule, node);
                       return subject == Subject::computed ||
                              (poisonBits && subject == Subject::input);
                     });
}

/// Writes one side.
class Emitter {
public:
  Emitter(const Rule &rule, const Choice &choice, Program &program,
          std::vector<std::string> &names)
      : rule_(rule), choice_(choice), program_(program), names_(names) {}

  void parameters(std::vector<std::string> &names);
  void precondition();
  /// Nothing where no fact needs one.
  std::optional<Operand> guard();
  /// What `whenTrue` and `whenFalse` write is of no use behind them.
  void branch(Operand condition, const std::function<void()> &whenTrue,
              const std::function<void()> &whenFalse);
  void body(const std::vector<NodeId> &definitions, NodeId root,
            std::optional<NodeId> executed = {});
  Operand holds(const Condition &condition, bool isPositive);

private:
  Type type(NodeId node) const { return typeOf(rule_, *choice_.typing, node); }
  Operand value(NodeId node);
  Operand compute(NodeId node);
  Operand instruction(const Node &node, Type type);
  Operand function(const Node &node, Type type);

  Operand number(Type type, std::uint64_t n) const {
    return Operand::constant(type, n);
  }
  Operand fold(Opcode opcode, Type type, std::vector<Operand> operands,
               Predicate predicate = Predicate::eq);
  Operand choose(Operand condition, Operand yes, Operand no) {
    if (condition.is(Operand::Kind::constant))
      return condition.payload != 0 ? yes : no;
    return fold(Opcode::select, yes.type, {condition, yes, no});
  }
  Operand compare(Predicate predicate, Operand a, Operand b) {
    return fold(Opcode::icmp, boolean(), {a, b}, predicate);
  }
  Operand negated(Operand condition) {
    return fold(Opcode::xor_, boolean(), {condition, number(boolean(), 1)});
  }
  Operand total(Operator op, Operand a, Operand b);
  Operand resized(Operand a, Type to);
  Operand overflow(Opcode opcode, Opcode plain, corpus::Flags flag, Operand a,
                   Operand b);

  void assume(Operand condition);
  Operand subject(NodeId node);
  Operand known(NodeId node);
  std::optional<Operand> claim(const Claim &claim);
  void assumeTheorem(NodeId node);
  Operand analysis(const Condition &condition, bool isPositive);
  Operand fact(const Condition &condition);
  bool mentionsPoison(NodeId node) const;

  const Rule &rule_;
  const Choice &choice_;
  Program &program_;
  std::vector<std::string> &names_;
  std::map<NodeId, Operand> done_;
  bool isGuarding_ = false;
};

void Emitter::precondition() {
  for (const Claim &claim : claimsOf(rule_))
    if (!needsGuard(rule_, claim, choice_.poisonBits))
      if (const auto condition = this->claim(claim))
        assume(*condition);
  // Sets of values would be picked from again and again.
  if (choice_.undefInputs || choice_.poisonBits)
    return;
  std::vector<bool> needed(rule_.nodes.size(), false);
  collect(rule_, choice_.executed.value_or(choice_.root.source), needed);
  for (const NodeId node : rule_.source)
    if (needed[node] && isExactDivision(rule_, node))
      assumeTheorem(node);
}

/// Nothing where the choice leaves it out.
std::optional<Operand> Emitter::claim(const Claim &claim) {
  if (claim.condition != nullptr)
    return choice_.hasPrecondition
               ? std::optional(holds(*claim.condition, true))
               : std::nullopt;
  if (!isGuarding_ && mentionsPoison(claim.subjects[0]))
    return std::nullopt;
  return known(claim.known);
}

std::optional<Operand> Emitter::guard() {
  isGuarding_ = true;
  std::optional<Operand> all;
  for (const Claim &claim : claimsOf(rule_))
    if (needsGuard(rule_, claim, choice_.poisonBits))
      if (const auto next = this->claim(claim))
        all = all ? fold(Opcode::and_, boolean(), {*all, *next}) : next;
  isGuarding_ = false;
  return all;
}

void Emitter::branch(Operand condition, const std::function<void()> &whenTrue,
                     const std::function<void()> &whenFalse) {
  program_.append(Opcode::br, Type(),
                  {condition, Operand::block(1), Operand::block(2)});
  const std::map<NodeId, Operand> before = done_;
  program_.beginBlock();
  whenTrue();
  done_ = before;
  program_.beginBlock();
  whenFalse();
}

void Emitter::parameters(std::vector<std::string> &names) {
  corpus::Attributes number;
  number.bits = corpus::attribute::noundef;
  names.clear();
  const auto add = [&](NodeId node, std::string name, bool isNumber) {
    done_[node] = program_.addParameter(
        type(node), isNumber ? number : corpus::Attributes{});
    names.push_back(std::move(name));
  };
  for (std::size_t i = 0; i < rule_.inputs.size(); ++i) {
    const NodeId node = rule_.inputs[i];
    add(node, rule_.nodes[node].name, false);
    if ((choice_.poison >> i & 1) != 0)
      done_[node] = Operand::poison(type(node));
  }
  for (std::size_t i = 0; i < rule_.symbols.size(); ++i) {
    const NodeId node = rule_.symbols[i];
    const bool isFixed =
        !choice_.constants.empty() && (choice_.fixedConstants >> i & 1) != 0;
    if (!isFixed)
      add(node, rule_.nodes[node].name, true);
    else
      done_[node] = Operand::constant(type(node), choice_.constants[i]);
  }
  for (NodeId node = 0; node < rule_.nodes.size(); ++node) {
    const Node &n = rule_.nodes[node];
    if (isKnownValue(rule_, n))
      add(node,
          std::string(info(n.function).spelling) + "(" +
              rule_.nodes[n.operands[0]].name + ")",
          true);
  }
}

void Emitter::body(const std::vector<NodeId> &definitions, NodeId root,
                   std::optional<NodeId> executed) {
  std::vector<bool> needed(rule_.nodes.size(), false);
  needed[root] = true;
  if (executed)
    needed[*executed] = true;
  for (NodeId node = static_cast<NodeId>(needed.size()); node-- > 0;)
    if (needed[node])
      for (const NodeId operand : rule_.nodes[node].operands)
        needed[operand] = true;
  for (const NodeId node : definitions)
    if (needed[node])
      value(node);
  const Operand result = value(root);
  program_.signature.returnType = result.type;
  program_.append(Opcode::ret, Type(), {result});
  names_.resize(program_.instructions.size());
}

Operand Emitter::value(NodeId node) {
  if (const auto found = done_.find(node); found != done_.end())
    return found->second;
  const Operand result = compute(node);
  done_[node] = result;
  return result;
}

Operand Emitter::compute(NodeId id) {
  const Node &node = rule_.nodes[id];
  const Type type = this->type(id);
  switch (node.kind) {
  case Node::Kind::input:
  case Node::Kind::symbol:
    break; // parameters() did
  case Node::Kind::literal:
    return number(type, node.literal);
  case Node::Kind::undef:
    return Operand::undef(type);
  case Node::Kind::copy:
    return value(node.operands[0]);
  case Node::Kind::resize: {
    const Operand operand = value(node.operands[0]);
    return resized(operand, type);
  }
  case Node::Kind::instruction:
    return instruction(node, type);
  case Node::Kind::complement:
    return fold(Opcode::xor_, type,
                {value(node.operands[0]), number(type, type.mask())});
  case Node::Kind::negation:
    return fold(Opcode::sub, type, {number(type, 0), value(node.operands[0])});
  case Node::Kind::operation: {
    const Operand left = value(node.operands[0]);
    return total(node.op, left, value(node.operands[1]));
  }
  case Node::Kind::function:
    return function(node, type);
  }
  assert(false && "a parameter that parameters() did not make");
  return {};
}

Operand Emitter::instruction(const Node &node, Type type) {
  std::vector<Operand> operands;
  for (const NodeId operand : node.operands)
    operands.push_back(value(operand));
  const Predicate predicate = node.openPredicate
                                  ? choice_.predicates[*node.openPredicate]
                                  : node.predicate;
  const Operand result =
      program_.append(node.opcode, type, operands, node.flags, predicate);
  names_.resize(program_.instructions.size());
  names_.back() = node.name;
  return result;
}

/// An instruction that computes a constant; done here where it can be.
Operand Emitter::fold(Opcode opcode, Type type, std::vector<Operand> operands,
                      Predicate predicate) {
  const bool isLiteral =
      std::all_of(operands.begin(), operands.end(), [](const Operand &o) {
        return o.is(Operand::Kind::constant);
      });
  if (isLiteral && type.isInteger()) {
    Operation operation;
    operation.opcode = opcode;
    operation.predicate = predicate;
    operation.operandType = operands[0].type;
    operation.type = type;
    std::vector<Element> elements;
    elements.reserve(operands.size());
    for (const Operand &operand : operands)
      elements.push_back(Element::number(operand.payload));
    const ElementResult result = evaluate(operation, Semantics(), elements);
    if (result.kind == ElementResult::Kind::element &&
        !result.element.hasPoison())
      return number(type, result.element.bits);
  }
  return program_.append(opcode, type, operands, {}, predicate);
}

/// With the meaning that SMT-LIB gives to what the instruction does not define.
Operand Emitter::total(Operator op, Operand a, Operand b) {
  const Type type = a.type;
  const Opcode opcode = info(op).opcode;
  const Operand zero = number(type, 0);
  const Operand minusOne = number(type, type.mask());
  switch (op) {
  case Operator::udiv:
  case Operator::urem: {
    const Operand isZero = compare(Predicate::eq, b, zero);
    const Operand quotient =
        fold(opcode, type, {a, choose(isZero, minusOne, b)});
    return choose(isZero, op == Operator::udiv ? minusOne : a, quotient);
  }
  case Operator::sdiv:
  case Operator::srem: {
    const Operand isZero = compare(Predicate::eq, b, zero);
    const Operand isMinusOne = compare(Predicate::eq, b, minusOne);
    // In i1 the number 1 is -1, and there is no divisor without a problem.
    const Operand byMinusOne =
        op == Operator::sdiv ? fold(Opcode::sub, type, {zero, a}) : zero;
    Operand quotient = zero;
    if (type.width() > 1) {
      const Operand isSpecial =
          fold(Opcode::or_, boolean(), {isZero, isMinusOne});
      quotient = fold(opcode, type, {a, choose(isSpecial, number(type, 1), b)});
    }
    const Operand byZero = op == Operator::sdiv
                               ? choose(compare(Predicate::slt, a, zero),
                                        number(type, 1), minusOne)
                               : a;
    return choose(isZero, byZero, choose(isMinusOne, byMinusOne, quotient));
  }
  case Operator::shl:
  case Operator::lshr:
  case Operator::ashr: {
    const Operand width = number(type, type.width());
    // i1: the only amount within the width is 0, and 1 is the width.
    const Operand fits = compare(Predicate::ult, b, width);
    const Operand beyond =
        op == Operator::ashr
            ? fold(Opcode::ashr, type, {a, number(type, type.width() - 1)})
            : zero;
    return choose(fits, fold(opcode, type, {a, choose(fits, b, zero)}), beyond);
  }
  case Operator::multiply:
  case Operator::add:
  case Operator::sub:
  case Operator::and_:
  case Operator::xor_:
  case Operator::or_:
    break;
  }
  return fold(opcode, type, {a, b});
}

Operand Emitter::resized(Operand a, Type to) {
  if (a.type == to)
    return a;
  return fold(a.type.width() < to.width() ? Opcode::zext : Opcode::trunc, to,
              {a});
}

Operand Emitter::function(const Node &node, Type type) {
  if (node.function == Function::width)
    return number(type, this->type(node.operands[0]).width());
  const Operand a = value(node.operands[0]);
  const Operand no = number(boolean(), 0);
  switch (node.function) {
  case Function::abs:
    return fold(Opcode::abs, type, {a, no});
  case Function::countLeadingZeros:
    return resized(fold(Opcode::ctlz, a.type, {a, no}), type);
  case Function::countTrailingZeros:
    return resized(fold(Opcode::cttz, a.type, {a, no}), type);
  case Function::log2: {
    const Operand zeros =
        fold(Opcode::ctlz, a.type, {a, no}); // the width itself for 0
    const Operand top = number(a.type, a.type.width() - 1);
    const Operand log = fold(Opcode::sub, a.type, {top, zeros});
    const Operand isZero = compare(Predicate::eq, a, number(a.type, 0));
    return resized(choose(isZero, number(a.type, 0), log), type);
  }
  case Function::lshr:
    return total(Operator::lshr, a, value(node.operands[1]));
  case Function::max:
    return fold(Opcode::smax, type, {a, value(node.operands[1])});
  case Function::umax:
    return fold(Opcode::umax, type, {a, value(node.operands[1])});
  case Function::sext:
    return fold(Opcode::sext, type, {a});
  case Function::zext:
    return fold(Opcode::zext, type, {a});
  case Function::trunc:
    return fold(Opcode::trunc, type, {a});
  case Function::knownOneBits:
    return a;
  case Function::knownZeroBits:
    return fold(Opcode::xor_, type, {a, number(type, type.mask())});
  case Function::numSignBits: {
    // Bits like the sign: the leading zeros of x ^ (x >> W-1).
    const Operand sign =
        fold(Opcode::ashr, a.type, {a, number(a.type, a.type.width() - 1)});
    const Operand rest = fold(Opcode::xor_, a.type, {a, sign});
    return resized(fold(Opcode::ctlz, a.type, {rest, no}), type);
  }
  case Function::width:
    break;
  }
  return {};
}

bool Emitter::mentionsPoison(NodeId node) const {
  for (std::size_t i = 0; i < rule_.inputs.size(); ++i)
    if (rule_.inputs[i] == node)
      return (choice_.poison >> i & 1) != 0;
  if (subjectOf(rule_, node) == Subject::frozen)
    return false;
  const auto &operands = rule_.nodes[node].operands;
  return std::any_of(operands.begin(), operands.end(),
                     [&](NodeId o) { return mentionsPoison(o); });
}

/// What computeKnownZeroBits and its like say of a value is true of it.
Operand Emitter::known(NodeId id) {
  const Node &node = rule_.nodes[id];
  const Operand known = value(id);
  const Operand x = subject(node.operands[0]);
  const Type type = x.type;
  if (node.function == Function::knownZeroBits)
    return compare(Predicate::eq, fold(Opcode::and_, type, {x, known}),
                   number(type, 0));
  if (node.function == Function::knownOneBits) {
    const Operand missing =
        fold(Opcode::or_, type,
             {x, total(Operator::xor_, known, number(type, type.mask()))});
    return compare(Predicate::eq, missing, number(type, type.mask()));
  }
  // 1 <= known <= width, and x fits into width - known + 1 bits, signed.
  const Operand one = number(known.type, 1);
  const Operand width = number(known.type, type.width());
  const Operand inRange = fold(Opcode::and_, boolean(),
                               {compare(Predicate::uge, known, one),
                                compare(Predicate::ule, known, width)});
  const Operand bits = resized(fold(Opcode::sub, known.type, {width, known}),
                               type); // 0 ... W-1
  const Operand bound =
      total(Operator::shl, number(type, 1), bits); // 2^(W-known)
  const Operand shifted = fold(Opcode::add, type, {x, bound});
  const Operand fits = compare(Predicate::ult, shifted,
                               total(Operator::shl, bound, number(type, 1)));
  const Operand isOne = compare(Predicate::eq, known, one);
  return fold(Opcode::and_, boolean(),
              {inRange, fold(Opcode::or_, boolean(), {isOne, fits})});
}

/// Divides where the source divides, so that no other input is undefined.
void Emitter::assumeTheorem(NodeId id) {
  const Node &node = rule_.nodes[id];
  if (mentionsPoison(id))
    return;
  const Operand a = value(node.operands[0]);
  const Operand b = value(node.operands[1]);
  const Type type = a.type;
  const bool isSigned = node.opcode == Opcode::sdiv;
  const Operand quotient = program_.append(node.opcode, type, {a, b});
  const Operand rest =
      program_.append(isSigned ? Opcode::srem : Opcode::urem, type, {a, b});
  const Operand product = program_.append(Opcode::mul, type, {quotient, b});
  const Operand remains = compare(Predicate::ne, rest, number(type, 0));
  const Operand isWhole = compare(Predicate::eq, product, a);
  program_.append(Opcode::assume, Type(),
                  {fold(Opcode::or_, boolean(), {remains, isWhole})});
}

void Emitter::assume(Operand condition) {
  if (condition != number(boolean(), 1))
    program_.append(Opcode::assume, Type(), {condition});
}

/// What a fact is claimed of. Of poison anything may be claimed: some pick of
/// the guard's freeze fits.
Operand Emitter::subject(NodeId node) {
  const Operand operand = value(node);
  if (!isGuarding_ || rule_.isConstant(node))
    return operand;
  return program_.append(Opcode::freeze, operand.type, {operand});
}

Operand Emitter::holds(const Condition &condition, bool isPositive) {
  switch (condition.kind) {
  case Condition::Kind::always:
    return number(boolean(), 1);
  case Condition::Kind::negation:
    return negated(holds(condition.operands[0], !isPositive));
  case Condition::Kind::conjunction:
  case Condition::Kind::disjunction: {
    const bool isAnd = condition.kind == Condition::Kind::conjunction;
    Operand all = number(boolean(), isAnd ? 1 : 0);
    for (const Condition &part : condition.operands) {
      const Operand next = holds(part, isPositive);
      all = all.is(Operand::Kind::constant) && (all.payload != 0) == isAnd
                ? next
                : fold(isAnd ? Opcode::and_ : Opcode::or_, boolean(),
                       {all, next});
    }
    return all;
  }
  case Condition::Kind::comparison: {
    const Operand left = value(condition.arguments[0]);
    return compare(condition.predicate, left, value(condition.arguments[1]));
  }
  case Condition::Kind::analysis:
    return analysis(condition, isPositive);
  }
  return {};
}

/// Of constants exact. Of other values an analysis may always not know, so a
/// negated one says nothing; where it speaks, the fact holds.
Operand Emitter::analysis(const Condition &condition, bool isPositive) {
  if (condition.analysis == Analysis::hasOneUse) {
    const NodeId node = condition.arguments[0];
    // While the register itself is looked at, something else looks at it.
    const NodeId looked = choice_.executed.value_or(choice_.root.source);
    const bool isSeen = node == looked && node != rule_.roots.back().source;
    return number(boolean(), isPositive && !isSeen ? 1 : 0);
  }
  const bool isExact =
      std::all_of(condition.arguments.begin(), condition.arguments.end(),
                  [&](NodeId node) { return rule_.isConstant(node); });
  if (isExact)
    return fact(condition);
  if (!isPositive)
    return number(boolean(), 0);
  if (!isGuarding_ &&
      std::any_of(condition.arguments.begin(), condition.arguments.end(),
                  [&](NodeId node) { return mentionsPoison(node); }))
    return number(boolean(), 1);
  return fact(condition);
}

/// The second half of `opcode`, which says when `plain` with `flag` is poison.
Operand Emitter::overflow(Opcode opcode, Opcode plain, corpus::Flags flag,
                          Operand a, Operand b) {
  if (a.is(Operand::Kind::constant) && b.is(Operand::Kind::constant)) {
    const Element numbers[] = {Element::number(a.payload),
                               Element::number(b.payload)};
    const ElementResult result = evaluate(
        {plain, flag, Predicate::eq, a.type, a.type}, Semantics(), numbers);
    return number(boolean(), result.element.hasPoison() ? 1 : 0);
  }
  const Operand pair =
      program_.append(opcode, Type::overflowPair(a.type.width()), {a, b});
  return program_.append(Opcode::extractvalue, boolean(),
                         {pair, Operand::constant(Type::integer(32), 1)});
}

Operand Emitter::fact(const Condition &condition) {
  const Operand a = subject(condition.arguments[0]);
  const Type type = a.type;
  const Operand zero = number(type, 0);
  const Operand one = number(type, 1);
  const bool isConstant = rule_.isConstant(condition.arguments[0]);
  const auto second = [&] { return subject(condition.arguments[1]); };
  switch (condition.analysis) {
  case Analysis::isPowerOf2:
  case Analysis::isPowerOf2OrZero: {
    const bool orZero = condition.analysis == Analysis::isPowerOf2OrZero;
    if (choice_.undefInputs && !isConstant && !isGuarding_)
      return compare(orZero ? Predicate::ule : Predicate::eq,
                     fold(Opcode::ctpop, type, {a}), one);
    const Operand lower = fold(Opcode::sub, type, {a, one});
    const Operand isOneBit =
        compare(Predicate::eq, fold(Opcode::and_, type, {a, lower}), zero);
    return orZero ? isOneBit
                  : fold(Opcode::and_, boolean(),
                         {compare(Predicate::ne, a, zero), isOneBit});
  }
  case Analysis::isShiftedMask: {
    const Operand filled =
        fold(Opcode::or_, type, {fold(Opcode::sub, type, {a, one}), a});
    const Operand next = fold(Opcode::add, type, {filled, one});
    const Operand isMask =
        compare(Predicate::eq, fold(Opcode::and_, type, {next, filled}), zero);
    return fold(Opcode::and_, boolean(),
                {compare(Predicate::ne, a, zero), isMask});
  }
  case Analysis::isSignBit:
    return compare(Predicate::eq, a,
                   number(type, std::uint64_t(1) << (type.width() - 1)));
  case Analysis::maskedValueIsZero:
    return compare(Predicate::eq, fold(Opcode::and_, type, {a, second()}),
                   zero);
  case Analysis::noOverflowSignedAdd:
    return negated(overflow(Opcode::saddOverflow, Opcode::add,
                            corpus::flag::nsw, a, second()));
  case Analysis::noOverflowUnsignedAdd:
    return negated(overflow(Opcode::uaddOverflow, Opcode::add,
                            corpus::flag::nuw, a, second()));
  case Analysis::noOverflowSignedSub:
    return negated(overflow(Opcode::ssubOverflow, Opcode::sub,
                            corpus::flag::nsw, a, second()));
  case Analysis::noOverflowUnsignedSub:
    return negated(overflow(Opcode::usubOverflow, Opcode::sub,
                            corpus::flag::nuw, a, second()));
  case Analysis::noOverflowSignedMul:
    return negated(overflow(Opcode::smulOverflow, Opcode::mul,
                            corpus::flag::nsw, a, second()));
  case Analysis::noOverflowUnsignedMul:
    return negated(overflow(Opcode::umulOverflow, Opcode::mul,
                            corpus::flag::nuw, a, second()));
  case Analysis::noOverflowUnsignedShl: {
    const Operand amount = second();
    const Operand back =
        total(Operator::lshr, total(Operator::shl, a, amount), amount);
    return compare(Predicate::eq, back, a);
  }
  case Analysis::hasOneUse:
  case Analysis::equivalentAddressValues:
    break;
  }
  assert(false && "not a fact about numbers");
  return {};
}

} // namespace

Type typeOf(const Rule &rule, const Typing &typing, NodeId node) {
  return Type::integer(typing[rule.types.classOf(rule.nodes[node].type)]);
}

std::uint32_t inputsWithFacts(const Rule &rule) {
  std::vector<bool> cone(rule.nodes.size(), false);
  for (const Claim &claim : claimsOf(rule))
    for (const NodeId node : claim.subjects)
      if (subjectOf(rule, node) == Subject::input)
        collect(rule, node, cone);
  for (const NodeId node : rule.source)
    if (isExactDivision(rule, node))
      collect(rule, node, cone);
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < rule.inputs.size(); ++i)
    if (cone[rule.inputs[i]])
      mask |= std::uint32_t(1) << i;
  return mask;
}

bool claimsFacts(const Rule &rule) {
  const std::vector<Claim> claims = claimsOf(rule);
  return std::any_of(claims.begin(), claims.end(), [](const Claim &claim) {
    return !claim.subjects.empty();
  });
}

std::optional<std::string> lackOf(const Rule &rule,
                                  const Semantics &semantics) {
  const bool poisonBits = semantics.poisonUnit == PoisonUnit::bit;
  // The freeze of a set takes one of its values; an analysis speaks of all.
  const bool hasSets = (semantics.undef == UndefRule::perUse &&
                        (semantics.inputs == Inputs::poisonUndef ||
                         semantics.inputs == Inputs::anySet ||
                         std::any_of(rule.nodes.begin(), rule.nodes.end(),
                                     [](const Node &n) {
                                       return n.kind == Node::Kind::undef;
                                     }))) ||
                       semantics.overflow == OverflowRule::undef ||
                       semantics.shiftAmount == ShiftRule::undef;
  for (const Claim &claim : claimsOf(rule)) {
    std::vector<bool> cone(rule.nodes.size(), false);
    bool isComputed = false;
    for (const NodeId node : claim.subjects) {
      isComputed |= subjectOf(rule, node) != Subject::input;
      collect(rule, node, cone);
    }
    const auto has = [&](auto predicate) {
      for (NodeId node = 0; node < cone.size(); ++node)
        if (cone[node] && rule.nodes[node].kind == Node::Kind::instruction &&
            predicate(rule.nodes[node], node))
          return true;
      return false;
    };
    if (needsGuard(rule, claim, poisonBits)) {
      if (hasSets)
        return "a fact about a value that may be undef";
      // It must hold of all picks together, and a branch asks of one.
      if (has([&](const Node &n, NodeId) {
            return n.opcode == Opcode::freeze ||
                   (n.opcode == Opcode::select &&
                    semantics.selectCondition ==
                        SelectCondition::nondeterministic);
          }))
        return "a fact about what is computed from a pick";
    }
    for (const Root &root : rule.roots) {
      std::vector<bool> needed(rule.nodes.size(), false);
      collect(rule, root.source, needed);
      if (isComputed && has([&](const Node &n, NodeId node) {
            return !needed[node] &&
                   corpus::info(n.opcode).has(corpus::trait::division);
          }))
        return fmt::format("a fact about a division that {} does not need",
                           rule.nodes[root.source].name);
    }
  }
  return std::nullopt;
}

bool holds(const Rule &rule, const Typing &typing,
           std::span<const std::uint64_t> constants) {
  Choice choice;
  choice.typing = &typing;
  choice.root = rule.roots.back();
  choice.constants = constants;
  Program program;
  std::vector<std::string> names;
  Emitter emitter(rule, choice, program, names);
  emitter.parameters(names);
  const Operand result = emitter.holds(rule.precondition, true);
  return result == Operand::constant(boolean(), 1);
}

Instance instantiate(const Rule &rule, const Choice &choice) {
  assert(!rule.unsupported && "a rule that only the grammar knows");
  Instance instance;
  Emitter source(rule, choice, instance.source, instance.sourceNames);
  source.parameters(instance.parameters);
  source.precondition();
  source.body(rule.source, choice.root.source, choice.executed);
  Emitter target(rule, choice, instance.target, instance.targetNames);
  target.parameters(instance.parameters);
  std::vector<NodeId> definitions = rule.source;
  definitions.insert(definitions.end(), rule.target.begin(), rule.target.end());
  const auto rewritten = [&] { target.body(definitions, choice.root.target); };
  const auto asItWas = [&] { target.body(rule.source, choice.root.source); };
  if (const auto guard = target.guard())
    target.branch(*guard, rewritten, asItWas);
  else
    rewritten();
  return instance;
}

} // namespace checker::rules
