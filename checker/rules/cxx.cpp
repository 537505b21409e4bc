// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/cxx.h"

#include "checker/rules/print.h"
#include "corpus/program/lines.h"
#include "corpus/program/type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace checker::rules {

using corpus::Flags;
using corpus::Opcode;
namespace flag = corpus::flag;

namespace {

/// Thrown and caught in this file only.
struct NoCxx {
  std::string why;
};

/// How LLVM spells an opcode in m_Add, CreateAdd.
struct Spelling {
  Opcode opcode;
  std::string_view name;
};
constexpr std::array<Spelling, 18> spellings = {{
    {Opcode::add, "Add"},
    {Opcode::sub, "Sub"},
    {Opcode::mul, "Mul"},
    {Opcode::udiv, "UDiv"},
    {Opcode::sdiv, "SDiv"},
    {Opcode::urem, "URem"},
    {Opcode::srem, "SRem"},
    {Opcode::shl, "Shl"},
    {Opcode::lshr, "LShr"},
    {Opcode::ashr, "AShr"},
    {Opcode::and_, "And"},
    {Opcode::or_, "Or"},
    {Opcode::xor_, "Xor"},
    {Opcode::select, "Select"},
    {Opcode::zext, "ZExt"},
    {Opcode::sext, "SExt"},
    {Opcode::trunc, "Trunc"},
    {Opcode::freeze, "Freeze"},
}};

std::string_view spellingOf(Opcode opcode) {
  const auto *row =
      std::find_if(spellings.begin(), spellings.end(),
                   [&](const Spelling &s) { return s.opcode == opcode; });
  if (row == spellings.end())
    throw NoCxx{std::string(info(opcode).spelling)};
  return row->name;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string_view overflowNameOf(Analysis analysis) {
  switch (analysis) {
  case Analysis::noOverflowSignedAdd:
    return "SignedAdd";
  case Analysis::noOverflowUnsignedAdd:
    return "UnsignedAdd";
  case Analysis::noOverflowSignedSub:
    return "SignedSub";
  case Analysis::noOverflowUnsignedSub:
    return "UnsignedSub";
  case Analysis::noOverflowSignedMul:
    return "SignedMul";
  case Analysis::noOverflowUnsignedMul:
    return "UnsignedMul";
  default:
    return "";
  }
}

class Writer {
public:
  explicit Writer(const Rule &rule) : rule_(rule) {}

  std::string write();

private:
  const Node &node(NodeId id) const { return rule_.nodes[id]; }
  NodeId root() const { return rule_.roots.back().source; }
  unsigned classOf(NodeId id) const {
    return rule_.types.classOf(node(id).type);
  }
  bool isKnown(const std::string &name) const {
    return std::find(declared_.begin(), declared_.end(), name) !=
           declared_.end();
  }

  std::string nameOf(NodeId id);
  std::string bind(NodeId id);
  std::string pattern(NodeId id);
  std::string patternOfInstruction(NodeId id);
  void require(const std::string &condition) {
    if (std::find(conditions_.begin(), conditions_.end(), condition) ==
        conditions_.end())
      conditions_.push_back(condition);
  }
  void requireTypes();
  void requireOneUse();

  std::string width(unsigned typeClass);
  std::string type(unsigned typeClass);
  std::string constant(NodeId id);
  std::string function(NodeId id);
  std::string condition(const Condition &condition);
  std::string analysis(const Condition &condition);
  std::string value(NodeId id);
  std::string build(NodeId id);
  bool isNeededByTarget(NodeId id) const;

  const Rule &rule_;
  std::map<NodeId, std::string> names_;
  std::set<std::string> taken_ = {"I", "Builder", "SQ", "APInt", "Value"};
  std::set<NodeId> bound_;
  std::vector<std::string> declared_; ///< `Value *X`
  std::vector<std::string> conditions_;
  std::set<NodeId> oneUse_;
  std::vector<std::string> lines_;
  unsigned literals_ = 0;
};

/// %op0 is Op0, %1 is T1, C1 stays.
std::string Writer::nameOf(NodeId id) {
  if (const auto found = names_.find(id); found != names_.end())
    return found->second;
  std::string name;
  for (const char c : node(id).name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += c;
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    name = "T" + name;
  name[0] =
      static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  if (node(id).kind != Node::Kind::symbol && name[0] == 'C')
    name = "V" + name; // not to be taken for a constant
  while (!taken_.insert(name).second)
    name += "x";
  return names_[id] = name;
}

std::string Writer::bind(NodeId id) {
  bound_.insert(id);
  std::string name = nameOf(id);
  declared_.push_back(fmt::format(
      "{}{}", node(id).kind == Node::Kind::symbol ? "const APInt *" : "Value *",
      name));
  return name;
}

std::string Writer::pattern(NodeId id) {
  const Node &n = node(id);
  switch (n.kind) {
  case Node::Kind::input:
    if (bound_.contains(id))
      return fmt::format("m_Deferred({})", nameOf(id));
    return fmt::format("m_Value({})", bind(id));
  case Node::Kind::symbol: {
    if (!bound_.contains(id))
      return fmt::format("m_APInt({})", bind(id));
    const std::string again = fmt::format("{}Again", nameOf(id));
    declared_.push_back("const APInt *" + again);
    require(fmt::format("*{} == *{}", nameOf(id), again));
    return fmt::format("m_APInt({})", again);
  }
  case Node::Kind::literal: {
    const auto number = static_cast<std::int64_t>(n.literal);
    if (number == 0)
      return "m_ZeroInt()";
    if (number == 1)
      return "m_One()";
    if (number == -1)
      return "m_AllOnes()";
    const std::string name = fmt::format("K{}", literals_++);
    declared_.push_back("const APInt *" + name);
    require(fmt::format("{}->trySExtValue() == {}", name, number));
    return fmt::format("m_APInt({})", name);
  }
  case Node::Kind::undef:
    return "m_Undef()";
  case Node::Kind::instruction:
    break;
  case Node::Kind::copy:
    return pattern(n.operands[0]);
  default:
    throw NoCxx{"ZExtOrTrunc in a source template"};
  }
  if (bound_.contains(id))
    return fmt::format("m_Deferred({})", nameOf(id));
  std::string text = patternOfInstruction(id);
  if (id == root())
    return text;
  if (oneUse_.contains(id))
    text = fmt::format("m_OneUse({})", text);
  const bool isNamed =
      names_.contains(id) || isNeededByTarget(id) || rule_.uses(id) > 1;
  if (!isNamed)
    return text;
  // The name first: what is matched deeper may be compared with it.
  return fmt::format("m_CombineAnd(m_Value({}), {})", bind(id), text);
}

std::string Writer::patternOfInstruction(NodeId id) {
  const Node &n = node(id);
  if (n.openPredicate)
    throw NoCxx{"a comparison by any predicate"};
  std::vector<std::string> operands;
  for (const NodeId operand : n.operands)
    operands.push_back(pattern(operand));
  const bool commutes =
      info(n.opcode).has(corpus::trait::commutative) ||
      (n.opcode == Opcode::icmp && (n.predicate == corpus::Predicate::eq ||
                                    n.predicate == corpus::Predicate::ne));
  if (n.opcode == Opcode::icmp) {
    if (!n.flags.empty())
      throw NoCxx{"samesign in a source template"};
    return fmt::format("{}(ICmpInst::ICMP_{}, {})",
                       commutes ? "m_c_SpecificICmp" : "m_SpecificICmp",
                       upper(info(n.predicate).spelling),
                       fmt::join(operands, ", "));
  }
  const std::string_view name = spellingOf(n.opcode);
  std::string plain = fmt::format("m_{}{}({})", commutes ? "c_" : "", name,
                                  fmt::join(operands, ", "));
  if (n.flags.empty())
    return plain;
  if (n.flags == flag::exact)
    return fmt::format("m_Exact({})", plain);
  const Flags both = flag::nuw | flag::nsw;
  const bool wraps = info(n.opcode).shape == corpus::Shape::binary &&
                     n.flags.without(both).empty();
  if (!wraps)
    throw NoCxx{"a flag younger than nsw, nuw and exact in a source template"};
  // Which flags, not which operands: those are matched once.
  const auto alone = [&](std::string_view which) {
    return fmt::format("m_{}{}(m_Value(), m_Value())", which, name);
  };
  std::string text = plain;
  if (n.flags.has(flag::nsw))
    text = fmt::format("m_CombineAnd({}, {})", alone("NSW"), text);
  if (n.flags.has(flag::nuw))
    text = fmt::format("m_CombineAnd({}, {})", alone("NUW"), text);
  return text;
}

bool Writer::isNeededByTarget(NodeId id) const {
  std::set<NodeId> needed = {rule_.roots.back().target};
  for (NodeId n = rule_.roots.back().target + 1; n-- > 0;)
    if (needed.contains(n))
      for (const NodeId operand : rule_.nodes[n].operands) {
        // What the source made is not made again.
        const bool isSource =
            std::find(rule_.source.begin(), rule_.source.end(), n) !=
            rule_.source.end();
        if (!isSource)
          needed.insert(operand);
      }
  return needed.contains(id);
}

/// The target must not make more instructions than die.
void Writer::requireOneUse() {
  std::size_t made = 0;
  for (const NodeId n : rule_.target)
    if (node(n).kind != Node::Kind::copy && isNeededByTarget(n))
      ++made;
  for (const NodeId n : rule_.source)
    if (made > 1 && n != root() && !isNeededByTarget(n))
      oneUse_.insert(n);
  for (const Condition &part :
       rule_.precondition.kind == Condition::Kind::conjunction
           ? rule_.precondition.operands
           : std::vector<Condition>{rule_.precondition})
    if (part.kind == Condition::Kind::analysis &&
        part.analysis == Analysis::hasOneUse && part.arguments[0] != root())
      oneUse_.insert(part.arguments[0]);
}

/// In bits, of what the source binds.
std::string Writer::width(unsigned typeClass) {
  if (const auto fixed = rule_.types.fixedWidth(typeClass))
    return std::to_string(*fixed);
  for (const NodeId symbol : rule_.symbols)
    if (classOf(symbol) == typeClass && bound_.contains(symbol))
      return fmt::format("{}->getBitWidth()", nameOf(symbol));
  if (!rule_.types.isOpen(typeClass))
    return std::to_string(corpus::Type::maximumWidth);
  return type(typeClass) + "->getScalarSizeInBits()";
}

std::string Writer::type(unsigned typeClass) {
  if (classOf(root()) == typeClass)
    return "I.getType()";
  for (const NodeId id : bound_)
    if (classOf(id) == typeClass && node(id).kind != Node::Kind::symbol)
      return fmt::format("{}->getType()", nameOf(id));
  if (const auto fixed = rule_.types.fixedWidth(typeClass))
    return fmt::format("Builder.getIntNTy({})", *fixed);
  for (const NodeId id : rule_.symbols)
    if (classOf(id) == typeClass)
      return fmt::format("Builder.getIntNTy({}->getBitWidth())", nameOf(id));
  throw NoCxx{"a type of the target that nothing in the source has"};
}

/// Types that the rule asks for and that a match alone does not ensure.
void Writer::requireTypes() {
  // What instructions of the source make equal.
  TypeSystem implied;
  std::vector<TypeVariable> variable(rule_.nodes.size());
  for (TypeVariable &v : variable)
    v = implied.add();
  for (const NodeId id : rule_.source) {
    const Node &n = node(id);
    const corpus::Shape shape = n.kind == Node::Kind::instruction
                                    ? info(n.opcode).shape
                                    : corpus::Shape::unary;
    for (std::size_t i = 0; i < n.operands.size(); ++i) {
      const bool isLikeResult = shape == corpus::Shape::binary ||
                                shape == corpus::Shape::unary ||
                                (shape == corpus::Shape::select && i > 0);
      if (isLikeResult)
        implied.unify(variable[id], variable[n.operands[i]]);
      if (shape == corpus::Shape::compare)
        implied.unify(variable[n.operands[0]], variable[n.operands[i]]);
    }
  }
  implied.close();
  for (unsigned c = 0; c < rule_.types.classes(); ++c) {
    std::optional<NodeId> first;
    std::set<unsigned> seen;
    for (const NodeId id : bound_) {
      if (classOf(id) != c)
        continue;
      const unsigned group = implied.classOf(variable[id]);
      const auto bits = [&](NodeId n) {
        return node(n).kind == Node::Kind::symbol
                   ? fmt::format("{}->getBitWidth()", nameOf(n))
                   : fmt::format("{}->getType()->getScalarSizeInBits()",
                                 nameOf(n));
      };
      if (first && !seen.contains(group))
        require(fmt::format("{} == {}", bits(*first), bits(id)));
      if (!first) {
        first = id;
        const auto fixed = rule_.types.fixedWidth(c);
        if (fixed && *fixed != 1)
          require(fmt::format("{} == {}", bits(id), *fixed));
        else if (!fixed && rule_.types.minimum(c) > 1)
          require(fmt::format("{} >= {}", bits(id), rule_.types.minimum(c)));
      }
      seen.insert(group);
    }
  }
}

std::string Writer::function(NodeId id) {
  const Node &n = node(id);
  const std::string bits = width(classOf(id));
  if (n.function == Function::width)
    return fmt::format("APInt({}, {})", bits, width(classOf(n.operands[0])));
  if (n.function >= Function::numSignBits && !rule_.isConstant(n.operands[0])) {
    const std::string of = value(n.operands[0]);
    switch (n.function) {
    case Function::knownZeroBits:
      return fmt::format("computeKnownBits({}, SQ).Zero", of);
    case Function::knownOneBits:
      return fmt::format("computeKnownBits({}, SQ).One", of);
    default:
      return fmt::format("APInt({}, ComputeNumSignBits({}, SQ.DL))", bits, of);
    }
  }
  std::string a = constant(n.operands[0]);
  const auto b = [&] { return constant(n.operands[1]); };
  switch (n.function) {
  case Function::abs:
    return fmt::format("({}).abs()", a);
  case Function::countLeadingZeros:
    return fmt::format("APInt({}, ({}).countl_zero())", bits, a);
  case Function::countTrailingZeros:
    return fmt::format("APInt({}, ({}).countr_zero())", bits, a);
  case Function::log2:
    require(fmt::format("!({}).isZero()", a));
    return fmt::format("APInt({}, ({}).logBase2())", bits, a);
  case Function::lshr:
    return fmt::format("({}).lshr({})", a, b());
  case Function::max:
    return fmt::format("APIntOps::smax({}, {})", a, b());
  case Function::umax:
    return fmt::format("APIntOps::umax({}, {})", a, b());
  case Function::sext:
  case Function::zext:
    require(fmt::format("{} < {}", width(classOf(n.operands[0])), bits));
    return fmt::format("({}).{}({})", a, info(n.function).spelling, bits);
  case Function::trunc:
    require(fmt::format("{} > {}", width(classOf(n.operands[0])), bits));
    return fmt::format("({}).trunc({})", a, bits);
  case Function::numSignBits:
    return fmt::format("APInt({}, ({}).getNumSignBits())", bits, a);
  case Function::knownZeroBits:
    return fmt::format("~({})", a);
  case Function::knownOneBits:
    return a;
  case Function::width:
    break;
  }
  return "";
}

/// An APInt. What it cannot divide by becomes a condition.
std::string Writer::constant(NodeId id) {
  const Node &n = node(id);
  const auto binary = [&](std::string_view form) {
    return fmt::format(fmt::runtime(form), constant(n.operands[0]),
                       constant(n.operands[1]));
  };
  switch (n.kind) {
  case Node::Kind::symbol:
    return "*" + nameOf(id);
  case Node::Kind::literal:
    return fmt::format("APInt({}, {}, /*isSigned=*/true)", width(classOf(id)),
                       static_cast<std::int64_t>(n.literal));
  case Node::Kind::complement:
    return fmt::format("~({})", constant(n.operands[0]));
  case Node::Kind::negation:
    return fmt::format("-({})", constant(n.operands[0]));
  case Node::Kind::function:
    return function(id);
  case Node::Kind::operation:
    break;
  default:
    throw NoCxx{"a value where a constant is expected"};
  }
  switch (n.op) {
  case Operator::multiply:
    return binary("({}) * ({})");
  case Operator::sdiv:
  case Operator::srem:
  case Operator::udiv:
  case Operator::urem:
    require(fmt::format("!({}).isZero()", constant(n.operands[1])));
    return n.op == Operator::sdiv   ? binary("({}).sdiv({})")
           : n.op == Operator::srem ? binary("({}).srem({})")
           : n.op == Operator::udiv ? binary("({}).udiv({})")
                                    : binary("({}).urem({})");
  case Operator::add:
    return binary("({}) + ({})");
  case Operator::sub:
    return binary("({}) - ({})");
  case Operator::shl:
    return binary("({}).shl({})");
  case Operator::ashr:
    return binary("({}).ashr({})");
  case Operator::lshr:
    return binary("({}).lshr({})");
  case Operator::and_:
    return binary("({}) & ({})");
  case Operator::xor_:
    return binary("({}) ^ ({})");
  case Operator::or_:
    return binary("({}) | ({})");
  }
  return "";
}

std::string Writer::analysis(const Condition &condition) {
  const NodeId first = condition.arguments[0];
  if (condition.analysis == Analysis::hasOneUse)
    return first == root() ? "I.hasOneUse()"
                           : fmt::format("{}->hasOneUse()", value(first));
  const bool isConstant = rule_.isConstant(first);
  const std::string a = isConstant ? constant(first) : value(first);
  const auto b = [&] { return constant(condition.arguments[1]); };
  const std::string_view overflow = overflowNameOf(condition.analysis);
  if (!overflow.empty() && isConstant) {
    const bool isSigned = overflow.starts_with("Signed");
    std::string op(overflow.substr(isSigned ? 6 : 8));
    op[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(op[0])));
    return fmt::format("[&] {{ bool Overflow; (void)({}).{}{}_ov({}, "
                       "Overflow); return !Overflow; }}()",
                       a, isSigned ? "s" : "u", op, b());
  }
  if (!overflow.empty())
    return fmt::format("computeOverflowFor{}({}, {}, SQ) == "
                       "OverflowResult::NeverOverflows",
                       overflow, a, value(condition.arguments[1]));
  switch (condition.analysis) {
  case Analysis::isPowerOf2:
    return isConstant ? fmt::format("({}).isPowerOf2()", a)
                      : fmt::format("isKnownToBeAPowerOfTwo({}, "
                                    "/*OrZero=*/false, SQ)",
                                    a);
  case Analysis::isPowerOf2OrZero:
    return isConstant
               ? fmt::format("(({0}).isZero() || ({0}).isPowerOf2())", a)
               : fmt::format("isKnownToBeAPowerOfTwo({}, /*OrZero=*/true, SQ)",
                             a);
  case Analysis::isShiftedMask:
    return fmt::format("({}).isShiftedMask()", a);
  case Analysis::isSignBit:
    return fmt::format("({}).isSignMask()", a);
  case Analysis::maskedValueIsZero:
    return isConstant ? fmt::format("(({}) & ({})).isZero()", a, b())
                      : fmt::format("MaskedValueIsZero({}, {}, SQ)", a, b());
  case Analysis::noOverflowUnsignedShl:
    return fmt::format("({0}).shl({1}).lshr({1}) == ({0})", a, b());
  default:
    throw NoCxx{std::string(info(condition.analysis).spelling)};
  }
}

std::string Writer::condition(const Condition &c) {
  std::vector<std::string> parts;
  switch (c.kind) {
  case Condition::Kind::always:
    return "true";
  case Condition::Kind::negation:
    return fmt::format("!({})", condition(c.operands[0]));
  case Condition::Kind::conjunction:
  case Condition::Kind::disjunction:
    for (const Condition &part : c.operands)
      parts.push_back(condition(part));
    return fmt::format("({})",
                       fmt::join(parts, c.kind == Condition::Kind::conjunction
                                            ? " && "
                                            : " || "));
  case Condition::Kind::analysis:
    return analysis(c);
  case Condition::Kind::comparison:
    break;
  }
  const std::string a = constant(c.arguments[0]);
  const std::string b = constant(c.arguments[1]);
  switch (c.predicate) {
  case corpus::Predicate::eq:
    return fmt::format("({}) == ({})", a, b);
  case corpus::Predicate::ne:
    return fmt::format("({}) != ({})", a, b);
  default:
    return fmt::format("({}).{}({})", a, info(c.predicate).spelling, b);
  }
}

/// A Value that the source or the target made.
std::string Writer::value(NodeId id) {
  if (rule_.isConstant(id) && node(id).kind != Node::Kind::symbol)
    return fmt::format("ConstantInt::get({}, {})", type(classOf(id)),
                       constant(id));
  if (node(id).kind == Node::Kind::symbol)
    return fmt::format("ConstantInt::get({}, *{})", type(classOf(id)),
                       nameOf(id));
  if (node(id).kind == Node::Kind::undef)
    return fmt::format("UndefValue::get({})", type(classOf(id)));
  if (id == root())
    return "&I";
  return nameOf(id);
}

/// An expression that makes the target's instruction.
std::string Writer::build(NodeId id) {
  const Node &n = node(id);
  std::vector<std::string> operands;
  for (const NodeId operand : n.operands)
    operands.push_back(value(operand));
  std::string list = fmt::format("{}", fmt::join(operands, ", "));
  if (n.kind == Node::Kind::copy)
    return list;
  if (n.kind == Node::Kind::resize)
    return fmt::format("Builder.CreateZExtOrTrunc({}, {})", list,
                       type(classOf(id)));
  if (n.opcode == Opcode::icmp && (n.openPredicate || !n.flags.empty()))
    throw NoCxx{n.openPredicate ? "a comparison by any predicate"
                                : "samesign in a target template"};
  if (n.opcode == Opcode::icmp)
    return fmt::format("Builder.CreateICmp(ICmpInst::ICMP_{}, {})",
                       upper(info(n.predicate).spelling), list);
  const std::string_view name = spellingOf(n.opcode);
  const corpus::Shape shape = info(n.opcode).shape;
  const std::string to =
      shape == corpus::Shape::widen || shape == corpus::Shape::narrow
          ? ", " + type(classOf(id))
          : "";
  std::string flags;
  if (n.flags == flag::exact)
    flags = ", \"\", /*isExact=*/true";
  else if (n.flags == flag::disjoint)
    flags = ", \"\", /*IsDisjoint=*/true";
  else if (n.flags == flag::nneg)
    flags = ", \"\", /*IsNonNeg=*/true";
  else if (!n.flags.empty())
    flags = fmt::format(", \"\", /*HasNUW=*/{}, /*HasNSW=*/{}",
                        n.flags.has(flag::nuw), n.flags.has(flag::nsw));
  return fmt::format("Builder.Create{}({}{}{})", name, list, to, flags);
}

std::string Writer::write() {
  if (rule_.unsupported)
    throw NoCxx{*rule_.unsupported};
  const NodeId result = rule_.roots.back().target;
  for (const NodeId symbol : rule_.symbols)
    nameOf(symbol);
  requireOneUse();
  const std::string match =
      fmt::format("match(&I, {})", node(root()).kind == Node::Kind::copy
                                       ? throw NoCxx{"a copy as the root"}
                                       : pattern(root()));
  requireTypes();
  // Conditions on constants in their order; what an expression divides by
  // stands before the first condition that divides.
  if (rule_.precondition.kind != Condition::Kind::always)
    for (const Condition &part :
         rule_.precondition.kind == Condition::Kind::conjunction
             ? rule_.precondition.operands
             : std::vector<Condition>{rule_.precondition}) {
      const bool isInPattern = part.kind == Condition::Kind::analysis &&
                               part.analysis == Analysis::hasOneUse &&
                               part.arguments[0] != root();
      if (!isInPattern) {
        const std::string text = condition(part);
        require(text);
      }
    }
  std::vector<std::string> body;
  for (const NodeId id : rule_.target) {
    if (!isNeededByTarget(id))
      continue;
    const std::string expression = build(id);
    body.push_back(
        id == result ? fmt::format("return {};", expression)
                     : fmt::format("Value *{} = {};", nameOf(id), expression));
  }
  std::string text;
  for (const std::string &line : corpus::linesOf(toText(rule_)))
    text += fmt::format("// {}\n", line);
  text += fmt::format("static Value *{}(Instruction &I, IRBuilderBase "
                      "&Builder,\n    const SimplifyQuery &SQ) {{\n"
                      "  (void)Builder;\n  (void)SQ;\n",
                      cxxNameOf(rule_));
  for (const std::string &declaration : declared_)
    text += fmt::format("  {};\n", declaration);
  text += fmt::format("  if (!{})\n    return nullptr;\n", match);
  if (!conditions_.empty())
    text += fmt::format("  if (!({}))\n    return nullptr;\n",
                        fmt::join(conditions_, " &&\n        "));
  for (const std::string &line : body)
    text += fmt::format("  {}\n", line);
  return text + "}\n";
}

} // namespace

std::string cxxNameOf(const Rule &rule) {
  std::string name = fmt::format("rule{}", rule.line);
  for (const char c : rule.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

corpus::Result<std::string> toCxx(const Rule &rule) {
  try {
    return Writer(rule).write();
  } catch (const NoCxx &lack) {
    return corpus::Error{lack.why};
  }
}

std::string cxxFile(std::span<const Rule> rules) {
  std::string text =
      "// Made from rules. `irsieve prove` says which are right.\n";
  for (const std::string_view header :
       {"Analysis/SimplifyQuery.h", "Analysis/ValueTracking.h",
        "IR/IRBuilder.h", "IR/PatternMatch.h", "Support/KnownBits.h"})
    text += fmt::format("#include \"llvm/{}\"\n", header);
  text += "\nusing namespace llvm;\nusing namespace llvm::PatternMatch;\n\n";
  std::vector<std::string> names;
  for (const Rule &rule : rules) {
    const auto function = toCxx(rule);
    if (!function) {
      text += fmt::format("// {}: no C++ for {}\n\n", rule.name,
                          function.error().message);
      continue;
    }
    text += *function + "\n";
    names.push_back(cxxNameOf(rule));
  }
  text += "struct RewriteRule {\n  const char *Name;\n  Value "
          "*(*Apply)(Instruction "
          "&, IRBuilderBase &,\n                  const SimplifyQuery &);\n"
          "};\nstatic const RewriteRule rewriteRules[] = {\n";
  for (const std::string &name : names)
    text += fmt::format("    {{\"{0}\", {0}}},\n", name);
  return text + "};\n";
}

} // namespace checker::rules
