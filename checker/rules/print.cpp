// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/print.h"

#include <fmt/format.h>

#include <set>

namespace checker::rules {

using corpus::Opcode;

namespace {

std::string_view spellingOf(corpus::Predicate predicate) {
  switch (predicate) {
  case corpus::Predicate::eq:
    return "==";
  case corpus::Predicate::ne:
    return "!=";
  case corpus::Predicate::ugt:
    return "u>";
  case corpus::Predicate::uge:
    return "u>=";
  case corpus::Predicate::ult:
    return "u<";
  case corpus::Predicate::ule:
    return "u<=";
  case corpus::Predicate::sgt:
    return ">";
  case corpus::Predicate::sge:
    return ">=";
  case corpus::Predicate::slt:
    return "<";
  case corpus::Predicate::sle:
    return "<=";
  }
  return "";
}

/// With as few parentheses as the precedences need.
std::string textOf(const Rule &rule, NodeId id, unsigned outer) {
  const Node &node = rule.nodes[id];
  if (!node.name.empty())
    return node.name;
  constexpr unsigned tightest = 7;
  switch (node.kind) {
  case Node::Kind::undef:
    return "undef";
  case Node::Kind::complement:
    return "~" + textOf(rule, node.operands[0], tightest);
  case Node::Kind::negation:
    return "-" + textOf(rule, node.operands[0], tightest);
  case Node::Kind::operation: {
    const OperatorInfo &row = info(node.op);
    const std::string text = fmt::format(
        "{} {} {}", textOf(rule, node.operands[0], row.precedence),
        row.spelling, textOf(rule, node.operands[1], row.precedence + 1));
    return row.precedence < outer ? "(" + text + ")" : text;
  }
  case Node::Kind::function: {
    std::string arguments;
    for (const NodeId operand : node.operands)
      arguments += (arguments.empty() ? "" : ", ") + textOf(rule, operand, 0);
    return fmt::format("{}({})", info(node.function).spelling, arguments);
  }
  default:
    break;
  }
  const unsigned typeClass = rule.types.classOf(node.type);
  if (rule.types.fixedWidth(typeClass) == 1U && node.literal <= 1)
    return node.literal == 1 ? "true" : "false";
  return std::to_string(static_cast<std::int64_t>(node.literal));
}

class Printer {
public:
  explicit Printer(const Rule &rule) : rule_(rule) {}

  std::string templateText(const std::vector<NodeId> &definitions) {
    std::string text;
    for (const NodeId node : definitions)
      text += fmt::format("{} = {}\n", rule_.nodes[node].name, right(node));
    return text;
  }

private:
  /// Types that the rule gives, once a class, where they first appear.
  std::string typeOf(NodeId node) {
    const unsigned typeClass = rule_.types.classOf(rule_.nodes[node].type);
    const auto width = rule_.types.fixedWidth(typeClass);
    return width && *width != 1 && shown_.insert(typeClass).second
               ? fmt::format("i{} ", *width)
               : "";
  }
  std::string typeOfI1(NodeId node) {
    const auto width =
        rule_.types.fixedWidth(rule_.types.classOf(rule_.nodes[node].type));
    const bool isName = !rule_.nodes[node].name.empty();
    return width == 1U && isName ? "i1 " : "";
  }
  std::string operand(NodeId node) {
    return typeOf(node) + textOf(rule_, node, 0);
  }

  std::string right(NodeId id) {
    const Node &node = rule_.nodes[id];
    std::string text;
    switch (node.kind) {
    case Node::Kind::copy:
      return operand(node.operands[0]);
    case Node::Kind::resize:
      text = "ZExtOrTrunc";
      break;
    default:
      text = info(node.opcode).spelling;
      break;
    }
    for (const corpus::FlagInfo &row : corpus::flagTable)
      if (node.flags.has(row.flag))
        text += fmt::format(" {}", row.spelling);
    if (node.opcode == Opcode::icmp && node.kind == Node::Kind::instruction)
      text += fmt::format(
          " {}",
          node.openPredicate
              ? std::string_view(rule_.openPredicates[*node.openPredicate])
              : info(node.predicate).spelling);
    const bool isSelect =
        node.kind == Node::Kind::instruction && node.opcode == Opcode::select;
    const bool isIcmp =
        node.kind == Node::Kind::instruction && node.opcode == Opcode::icmp;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      // What a select chooses by and an icmp gives is i1 without a word.
      const bool says = i == 0 && !isSelect;
      text += fmt::format("{} {}{}", i == 0 ? "" : ",",
                          says ? typeOfI1(node.operands[i]) : "",
                          operand(node.operands[i]));
    }
    const bool isConversion =
        node.operands.size() == 1 && !isIcmp && node.opcode != Opcode::freeze;
    if (isConversion) {
      const std::string type = typeOf(id);
      const std::string one = typeOfI1(id);
      if (!type.empty() || !one.empty())
        text += fmt::format(" to {}", type.empty() ? one : type);
      if (text.ends_with(' '))
        text.pop_back();
    }
    return text;
  }

  const Rule &rule_;
  std::set<unsigned> shown_;
};

std::string conditionText(const Rule &rule, const Condition &condition,
                          bool isOuter) {
  switch (condition.kind) {
  case Condition::Kind::always:
    return "true";
  case Condition::Kind::negation:
    return "!" + conditionText(rule, condition.operands[0], false);
  case Condition::Kind::conjunction:
  case Condition::Kind::disjunction: {
    const bool isAnd = condition.kind == Condition::Kind::conjunction;
    std::string text;
    for (const Condition &part : condition.operands) {
      // && binds tighter than ||.
      const bool isPlain = part.kind == Condition::Kind::conjunction;
      text += (text.empty() ? ""
               : isAnd      ? " && "
                            : " || ") +
              conditionText(rule, part, isPlain);
    }
    return isOuter ? text : "(" + text + ")";
  }
  case Condition::Kind::comparison: {
    return fmt::format("{} {} {}", textOf(rule, condition.arguments[0], 1),
                       spellingOf(condition.predicate),
                       textOf(rule, condition.arguments[1], 1));
  }
  case Condition::Kind::analysis: {
    std::string arguments;
    for (const NodeId node : condition.arguments)
      arguments += (arguments.empty() ? "" : ", ") + textOf(rule, node, 0);
    return fmt::format("{}({})", info(condition.analysis).spelling, arguments);
  }
  }
  return "";
}

} // namespace

std::string toText(const Rule &rule, NodeId node) {
  return textOf(rule, node, 0);
}

std::string toText(const Rule &rule, const Condition &condition) {
  return conditionText(rule, condition, true);
}

std::string toText(const Rule &rule) {
  std::string text = fmt::format("Name: {}\n", rule.name);
  if (rule.unsupported)
    return text;
  if (rule.precondition.kind != Condition::Kind::always)
    text += fmt::format("Pre: {}\n", toText(rule, rule.precondition));
  Printer printer(rule);
  text += printer.templateText(rule.source);
  text += "=>\n";
  text += printer.templateText(rule.target);
  return text;
}

} // namespace checker::rules
