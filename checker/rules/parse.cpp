// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/parse.h"

#include "corpus/program/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>

namespace checker::rules {

using corpus::Error;
using corpus::Flags;
using corpus::Opcode;
using corpus::Result;

namespace {

/// What a rule may have: a file may be hostile, and all of it is recursive.
constexpr std::size_t maximumLine = 1 << 16;
constexpr std::size_t maximumNodes = 1000;
constexpr unsigned maximumNesting = 200;

/// Thrown and caught in this file only.
struct SyntaxError {
  unsigned line;
  std::string message;
};

struct Line {
  unsigned number;
  std::string text; ///< without its comment
};

/// The parts of a rule before anything in them is read.
struct RawRule {
  std::string name;
  unsigned line = 0;
  std::optional<Line> precondition;
  std::vector<Line> source;
  std::vector<Line> target;
  bool hasArrow = false;
};

/// Instructions that only the grammar knows.
constexpr std::array<std::string_view, 9> unsupportedInstructions = {
    "alloca",      "load", "store", "getelementptr", "inttoptr", "ptrtoint",
    "unreachable", "br",   "ret"};

bool isUnsupportedInstruction(std::string_view word) {
  return std::find(unsupportedInstructions.begin(),
                   unsupportedInstructions.end(),
                   word) != unsupportedInstructions.end();
}

/// Bits of the narrowest integer that has the number, signed.
unsigned signedWidth(std::uint64_t value, bool isNegative) {
  return 1 + static_cast<unsigned>(std::bit_width(isNegative ? ~value : value));
}

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         c == '.';
}

/// Words and signs of one line. Blanks may stand everywhere.
class Scanner {
public:
  explicit Scanner(const Line &line) : line_(line) {}

  unsigned line() const { return line_.number; }
  std::size_t position() const { return at_; }
  void rewind(std::size_t position) { at_ = position; }

  bool atEnd() {
    skipBlanks();
    return at_ == line_.text.size();
  }
  bool sees(std::string_view sign) {
    skipBlanks();
    return std::string_view(line_.text).substr(at_).starts_with(sign);
  }
  bool accept(std::string_view sign) {
    if (!sees(sign))
      return false;
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!accept(sign))
      fail(fmt::format("'{}'", sign));
  }
  /// The word that stands here, without taking it.
  std::string_view word() {
    skipBlanks();
    std::size_t end = at_;
    while (end < line_.text.size() && isNameCharacter(line_.text[end]))
      ++end;
    return std::string_view(line_.text).substr(at_, end - at_);
  }
  bool acceptWord(std::string_view expected) {
    if (word() != expected)
      return false;
    at_ += expected.size();
    return true;
  }
  std::string takeWord() {
    std::string taken(word());
    at_ += taken.size();
    return taken;
  }
  /// `%x`, or nothing.
  std::optional<std::string> takeRegister() {
    const std::size_t start = position();
    if (accept("%") && at_ < line_.text.size() &&
        isNameCharacter(line_.text[at_]))
      return "%" + takeWord();
    rewind(start);
    return std::nullopt;
  }

  [[noreturn]] void fail(std::string_view expected) {
    skipBlanks();
    const std::string rest = line_.text.substr(at_, 20);
    const std::size_t size = line_.text.size();
    throw SyntaxError{
        line_.number,
        rest.empty()
            ? fmt::format("expected {} at the end of '{}{}'", expected,
                          size > 60 ? "..." : "",
                          line_.text.substr(size - std::min(size, 60UL)))
            : fmt::format("expected {} before '{}'", expected, rest)};
  }

private:
  void skipBlanks() {
    while (at_ < line_.text.size() &&
           std::isspace(static_cast<unsigned char>(line_.text[at_])) != 0)
      ++at_;
  }

  const Line &line_;
  std::size_t at_ = 0;
};

/// One level deeper while it lives.
class Nesting {
public:
  Nesting(unsigned &depth, Scanner &scanner) : depth_(depth) {
    if (depth_ == maximumNesting)
      scanner.fail(fmt::format("at most {} levels of nesting", maximumNesting));
    ++depth_;
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting &) = delete;
  Nesting &operator=(const Nesting &) = delete;

private:
  unsigned &depth_;
};

class Parser {
public:
  explicit Parser(const RawRule &raw) : raw_(raw) {}

  Rule parse();

private:
  enum class Phase : std::uint8_t { source, target, precondition };

  // Programs.
  void parseTemplate(const std::vector<Line> &lines, Phase phase);
  void parseInstruction(Scanner &scanner);
  NodeId parseRight(Scanner &scanner, const std::string &name);
  NodeId parseBinary(Scanner &scanner, Opcode opcode);
  NodeId parseIcmp(Scanner &scanner, const std::string &name);
  NodeId parseSelect(Scanner &scanner);
  NodeId parseConversion(Scanner &scanner, const std::string &word);
  void parseUnsupported(Scanner &scanner, const std::string &word);
  Flags parseFlags(Scanner &scanner, Opcode opcode);
  std::optional<TypeVariable> parseType(Scanner &scanner);
  NodeId parseOperand(Scanner &scanner);
  NodeId parseTypedOperand(Scanner &scanner);
  void define(const std::string &name, NodeId node, unsigned line);

  // Constant expressions and preconditions.
  NodeId parseExpression(Scanner &scanner, unsigned precedence = 1);
  NodeId parseUnary(Scanner &scanner);
  NodeId parseAtom(Scanner &scanner);
  NodeId parseFunction(Scanner &scanner, const FunctionInfo &function);
  Condition parseDisjunction(Scanner &scanner);
  Condition parseConjunction(Scanner &scanner);
  Condition parseNegation(Scanner &scanner);
  Condition parseComparison(Scanner &scanner);

  NodeId add(Node node);
  [[noreturn]] void failOnName(Scanner &scanner);
  NodeId expression(Node node, unsigned line);
  NodeId literal(std::uint64_t value, bool isNegative, unsigned line);
  NodeId named(const std::string &name, unsigned line);
  TypeVariable typeOf(NodeId node) const { return rule_.nodes[node].type; }
  void unify(NodeId a, NodeId b) { rule_.types.unify(typeOf(a), typeOf(b)); }
  void requireConstant(NodeId node, unsigned line) const;
  void lack(std::string_view what);
  void finish();
  void checkLiterals() const;

  const RawRule &raw_;
  Rule rule_;
  Phase phase_ = Phase::source;
  std::map<std::string, NodeId, std::less<>> names_;
  std::map<std::string, TypeVariable, std::less<>> typeNames_;
  std::vector<NodeId> beforeTarget_; ///< nodes that the source defined
  unsigned nesting_ = 0;
  unsigned line_ = 0;
};

NodeId Parser::add(Node node) {
  if (rule_.nodes.size() == maximumNodes)
    throw SyntaxError{line_,
                      fmt::format("expected at most {} instructions, constants "
                                  "and operators in a rule",
                                  maximumNodes)};
  rule_.nodes.push_back(std::move(node));
  return static_cast<NodeId>(rule_.nodes.size() - 1);
}

void Parser::lack(std::string_view what) {
  if (!rule_.unsupported)
    rule_.unsupported = std::string(what);
}

NodeId Parser::literal(std::uint64_t value, bool isNegative, unsigned line) {
  Node node;
  node.kind = Node::Kind::literal;
  node.type = rule_.types.add();
  node.literal = value;
  node.line = line;
  if (value != 0)
    rule_.types.atLeast(node.type,
                        std::min(64U, signedWidth(value, isNegative)));
  return add(std::move(node));
}

/// A register or a symbolic constant.
NodeId Parser::named(const std::string &name, unsigned line) {
  if (const auto found = names_.find(name); found != names_.end())
    return found->second;
  if (phase_ != Phase::source)
    throw SyntaxError{line,
                      fmt::format("{} is not in the source template", name)};
  const bool isSymbol = name[0] == 'C';
  Node node;
  node.kind = isSymbol ? Node::Kind::symbol : Node::Kind::input;
  node.type = rule_.types.add();
  node.name = name;
  node.line = line;
  rule_.types.anchor(node.type);
  const NodeId id = add(std::move(node));
  (isSymbol ? rule_.symbols : rule_.inputs).push_back(id);
  names_[name] = id;
  return id;
}

void Parser::requireConstant(NodeId node, unsigned line) const {
  if (!rule_.isConstant(node))
    throw SyntaxError{line, fmt::format("expected a constant, and {} is none",
                                        rule_.nodes[node].name)};
}

/// A compound constant; the source template has none.
NodeId Parser::expression(Node node, unsigned line) {
  if (phase_ == Phase::source)
    throw SyntaxError{line, "expected a register or a plain constant: the "
                            "source template takes no constant expressions"};
  if (node.kind != Node::Kind::function)
    for (const NodeId operand : node.operands) {
      requireConstant(operand, line);
      rule_.types.unify(node.type, typeOf(operand));
    }
  node.line = line;
  return add(std::move(node));
}

NodeId Parser::parseFunction(Scanner &scanner, const FunctionInfo &function) {
  Node node;
  node.kind = Node::Kind::function;
  node.function = function.function;
  node.type = rule_.types.add();
  scanner.expect("(");
  if (!scanner.sees(")"))
    do {
      node.operands.push_back(parseExpression(scanner));
    } while (scanner.accept(","));
  if (node.operands.size() != function.arguments)
    scanner.fail(fmt::format("{} argument{} of {}, not {},", function.arguments,
                             function.arguments == 1 ? "" : "s",
                             function.spelling, node.operands.size()));
  scanner.expect(")");
  for (const NodeId operand : node.operands) {
    const bool isOfValues = function.function >= Function::numSignBits ||
                            function.function == Function::width;
    if (!isOfValues)
      requireConstant(operand, scanner.line());
    switch (function.shape) {
    case FunctionShape::same:
      rule_.types.unify(node.type, typeOf(operand));
      break;
    case FunctionShape::widens:
      rule_.types.less(typeOf(operand), node.type);
      break;
    case FunctionShape::narrows:
      rule_.types.less(node.type, typeOf(operand));
      break;
    case FunctionShape::open:
      break;
    }
  }
  return expression(std::move(node), scanner.line());
}

NodeId Parser::parseAtom(Scanner &scanner) {
  const unsigned line = scanner.line();
  if (const auto name = scanner.takeRegister())
    return named(*name, line);
  if (scanner.accept("(")) {
    const NodeId node = parseExpression(scanner);
    scanner.expect(")");
    return node;
  }
  const std::string word(scanner.word());
  if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
    std::uint64_t value = 0;
    for (const char digit : word) {
      if (std::isdigit(static_cast<unsigned char>(digit)) == 0)
        scanner.fail("a decimal number");
      const auto d = static_cast<unsigned>(digit - '0');
      if (value > (~std::uint64_t(0) - d) / 10)
        scanner.fail("a number of at most 64 bits");
      value = value * 10 + d;
    }
    scanner.takeWord();
    return literal(value, false, line);
  }
  if (word == "true" || word == "false") {
    scanner.takeWord();
    Node node;
    node.kind = Node::Kind::literal;
    node.type = rule_.types.add();
    node.literal = word == "true" ? 1 : 0;
    node.line = line;
    rule_.types.fix(node.type, 1);
    return add(std::move(node));
  }
  if (word == "null") {
    scanner.takeWord();
    lack("null");
    return literal(0, false, line);
  }
  const bool isSymbol =
      !word.empty() && word[0] == 'C' &&
      std::all_of(word.begin() + 1, word.end(),
                  [](unsigned char c) { return std::isdigit(c) != 0; });
  if (isSymbol)
    return named(scanner.takeWord(), line);
  for (const FunctionInfo &function : functionTable)
    if (function.spelling == word) {
      scanner.takeWord();
      return parseFunction(scanner, function);
    }
  failOnName(scanner);
}

/// What stands here is no value. Something like a call has a name that nobody
/// knows.
void Parser::failOnName(Scanner &scanner) {
  const std::size_t start = scanner.position();
  const std::string name = scanner.takeWord();
  const bool isCall = !name.empty() && scanner.sees("(");
  scanner.rewind(start);
  if (!isCall)
    scanner.fail("a register, a constant (C, C1, ...), a number or a function "
                 "of constants");
  std::string known;
  for (const FunctionInfo &row : functionTable)
    known += fmt::format("{}, ", row.spelling);
  if (phase_ == Phase::precondition)
    for (const AnalysisInfo &row : analysisTable)
      known += fmt::format("{}, ", row.spelling);
  known.resize(known.size() - 2);
  scanner.fail(fmt::format("one of {}", known));
}

NodeId Parser::parseUnary(Scanner &scanner) {
  const Nesting nesting(nesting_, scanner);
  const unsigned line = scanner.line();
  const bool complements = scanner.accept("~");
  if (!complements && !scanner.accept("-"))
    return parseAtom(scanner);
  if (!complements) {
    // A negative number is a literal, also in the source template.
    const std::string_view word = scanner.word();
    if (!word.empty() &&
        std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      const NodeId node = parseAtom(scanner);
      Node negative = rule_.nodes[node];
      rule_.nodes.pop_back();
      negative.literal = -negative.literal;
      if (negative.literal == 0)
        return literal(0, false, line);
      return literal(negative.literal, true, line);
    }
  }
  Node node;
  node.kind = complements ? Node::Kind::complement : Node::Kind::negation;
  node.operands = {parseUnary(scanner)};
  node.type = rule_.types.add();
  return expression(std::move(node), line);
}

/// The operator that stands here and binds exactly so tightly.
const OperatorInfo *acceptOperator(Scanner &scanner, unsigned precedence) {
  const OperatorInfo *longest = nullptr;
  for (const OperatorInfo &row : operatorTable)
    if (scanner.sees(row.spelling) &&
        (longest == nullptr || row.spelling.size() > longest->spelling.size()))
      longest = &row;
  if (longest == nullptr || longest->precedence != precedence ||
      scanner.sees("&&") || scanner.sees("||"))
    return nullptr;
  scanner.accept(longest->spelling);
  return longest;
}

NodeId Parser::parseExpression(Scanner &scanner, unsigned precedence) {
  if (precedence > operatorTable[0].precedence)
    return parseUnary(scanner);
  NodeId left = parseExpression(scanner, precedence + 1);
  while (const OperatorInfo *row = acceptOperator(scanner, precedence)) {
    Node node;
    node.kind = Node::Kind::operation;
    node.op = row->op;
    const NodeId right = parseExpression(scanner, precedence + 1);
    node.operands = {left, right};
    node.type = rule_.types.add();
    left = expression(std::move(node), scanner.line());
  }
  return left;
}

struct ComparisonRow {
  std::string_view spelling;
  corpus::Predicate predicate;
};
/// Longer spellings first.
constexpr std::array<ComparisonRow, 10> comparisonTable = {{
    {"u<=", corpus::Predicate::ule},
    {"u>=", corpus::Predicate::uge},
    {"==", corpus::Predicate::eq},
    {"!=", corpus::Predicate::ne},
    {"<=", corpus::Predicate::sle},
    {">=", corpus::Predicate::sge},
    {"u<", corpus::Predicate::ult},
    {"u>", corpus::Predicate::ugt},
    {"<", corpus::Predicate::slt},
    {">", corpus::Predicate::sgt},
}};

Condition Parser::parseComparison(Scanner &scanner) {
  NodeId left = parseExpression(scanner);
  requireConstant(left, scanner.line());
  std::vector<Condition> parts;
  while (true) {
    const auto *row = std::find_if(
        comparisonTable.begin(), comparisonTable.end(),
        [&](const ComparisonRow &r) { return scanner.accept(r.spelling); });
    if (row == comparisonTable.end())
      break;
    const NodeId right = parseExpression(scanner);
    requireConstant(right, scanner.line());
    unify(left, right);
    Condition condition;
    condition.kind = Condition::Kind::comparison;
    condition.predicate = row->predicate;
    condition.arguments = {left, right};
    parts.push_back(std::move(condition));
    left = right;
  }
  if (parts.empty())
    scanner.fail("a comparison (==, !=, <, <=, >, >=, u<, u<=, u>, u>=)");
  if (parts.size() == 1)
    return parts[0];
  Condition all;
  all.kind = Condition::Kind::conjunction;
  all.operands = std::move(parts);
  return all;
}

Condition Parser::parseNegation(Scanner &scanner) {
  const Nesting nesting(nesting_, scanner);
  if (scanner.sees("!") && !scanner.sees("!=")) {
    scanner.accept("!");
    Condition condition;
    condition.kind = Condition::Kind::negation;
    condition.operands = {parseNegation(scanner)};
    return condition;
  }
  const std::size_t start = scanner.position();
  if (scanner.acceptWord("true") && (scanner.atEnd() || scanner.sees("&&") ||
                                     scanner.sees("||") || scanner.sees(")")))
    return {};
  scanner.rewind(start);
  for (const AnalysisInfo &row : analysisTable) {
    if (!scanner.acceptWord(row.spelling))
      continue;
    Condition condition;
    condition.kind = Condition::Kind::analysis;
    condition.analysis = row.analysis;
    scanner.expect("(");
    do {
      condition.arguments.push_back(parseExpression(scanner));
    } while (scanner.accept(","));
    if (condition.arguments.size() != row.arguments)
      scanner.fail(fmt::format("{} argument{} of {}, not {},", row.arguments,
                               row.arguments == 1 ? "" : "s", row.spelling,
                               condition.arguments.size()));
    scanner.expect(")");
    if (row.analysis == Analysis::equivalentAddressValues)
      lack(row.spelling);
    if (row.arguments == 2)
      unify(condition.arguments[0], condition.arguments[1]);
    return condition;
  }
  // A parenthesis opens a condition or the left side of a comparison.
  if (scanner.accept("(")) {
    const auto nodes = rule_.nodes.size();
    const TypeSystem types = rule_.types;
    try {
      Condition condition = parseDisjunction(scanner);
      scanner.expect(")");
      return condition;
    } catch (const SyntaxError &) {
      rule_.nodes.resize(nodes);
      rule_.types = types;
      scanner.rewind(start);
    }
  }
  return parseComparison(scanner);
}

Condition Parser::parseConjunction(Scanner &scanner) {
  Condition all;
  all.kind = Condition::Kind::conjunction;
  do {
    all.operands.push_back(parseNegation(scanner));
  } while (scanner.accept("&&"));
  return all.operands.size() == 1 ? all.operands[0] : all;
}

Condition Parser::parseDisjunction(Scanner &scanner) {
  Condition any;
  any.kind = Condition::Kind::disjunction;
  do {
    any.operands.push_back(parseConjunction(scanner));
  } while (scanner.accept("||"));
  return any.operands.size() == 1 ? any.operands[0] : any;
}

/// i8, Ty, Ty1; a pointer or an array is only read.
std::optional<TypeVariable> Parser::parseType(Scanner &scanner) {
  const Nesting nesting(nesting_, scanner);
  std::optional<TypeVariable> type;
  const std::string word(scanner.word());
  const auto isNumber = [](std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  if (scanner.accept("[")) {
    parseExpression(scanner);
    if (!scanner.acceptWord("x"))
      scanner.fail("'x'");
    if (!parseType(scanner))
      scanner.fail("a type");
    scanner.expect("]");
    lack("array type");
    type = rule_.types.add();
  } else if (word.starts_with('i') && isNumber(word.substr(1))) {
    scanner.takeWord();
    const unsigned long width =
        word.size() > 4 ? ~0UL : std::stoul(word.substr(1));
    type = rule_.types.add();
    if (width == 0 || width > 64)
      lack(fmt::format("type {}", word));
    else
      rule_.types.fix(*type, static_cast<unsigned>(width));
  } else if (word == "Ty" ||
             (word.starts_with("Ty") && isNumber(word.substr(2)))) {
    scanner.takeWord();
    const auto found = typeNames_.find(word);
    type = found != typeNames_.end() ? found->second : rule_.types.add();
    typeNames_[word] = *type;
  } else {
    return std::nullopt;
  }
  while (scanner.accept("*")) {
    lack("pointer type");
    type = rule_.types.add();
  }
  return type;
}

NodeId Parser::parseOperand(Scanner &scanner) {
  if (!scanner.acceptWord("undef"))
    return parseExpression(scanner);
  Node node;
  node.kind = Node::Kind::undef;
  node.type = rule_.types.add();
  node.line = scanner.line();
  rule_.types.anchor(node.type);
  return add(std::move(node));
}

NodeId Parser::parseTypedOperand(Scanner &scanner) {
  const auto type = parseType(scanner);
  const NodeId operand = parseOperand(scanner);
  if (type)
    rule_.types.unify(*type, typeOf(operand));
  return operand;
}

Flags Parser::parseFlags(Scanner &scanner, Opcode opcode) {
  Flags flags;
  while (true) {
    const auto *row =
        std::find_if(corpus::flagTable.begin(), corpus::flagTable.end(),
                     [&](const corpus::FlagInfo &r) {
                       return scanner.word() == r.spelling;
                     });
    if (row == corpus::flagTable.end())
      return flags;
    if (!info(opcode).allowedFlags.has(row->flag))
      scanner.fail(fmt::format("operands ({} has no {})", info(opcode).spelling,
                               row->spelling));
    scanner.takeWord();
    flags = flags | row->flag;
  }
}

NodeId Parser::parseBinary(Scanner &scanner, Opcode opcode) {
  Node node;
  node.kind = Node::Kind::instruction;
  node.opcode = opcode;
  node.flags = parseFlags(scanner, opcode);
  const NodeId left = parseTypedOperand(scanner);
  scanner.expect(",");
  const NodeId right = parseTypedOperand(scanner);
  node.operands = {left, right};
  unify(left, right);
  node.type = typeOf(left);
  return add(std::move(node));
}

NodeId Parser::parseIcmp(Scanner &scanner, const std::string &name) {
  Node node;
  node.kind = Node::Kind::instruction;
  node.opcode = Opcode::icmp;
  node.flags = parseFlags(scanner, Opcode::icmp);
  // A predicate, a name for any predicate, or nothing; before a type or
  // operand.
  std::string choice = name;
  const std::size_t start = scanner.position();
  const std::string word = scanner.sees("%") ? "" : scanner.takeWord();
  const auto *row = std::find_if(
      corpus::predicateTable.begin(), corpus::predicateTable.end(),
      [&](const corpus::PredicateInfo &r) { return r.spelling == word; });
  const bool isKnown = row != corpus::predicateTable.end();
  if (isKnown) {
    node.predicate = row->predicate;
  } else {
    // Alive calls `icmp n a, b` a comparison by any predicate, named n.
    const bool isName = !word.empty() && !scanner.sees(",");
    const std::size_t behind = scanner.position();
    scanner.rewind(start);
    const bool isType = parseType(scanner).has_value();
    scanner.rewind(isName && !isType ? behind : start);
    if (isName && !isType)
      choice = word;
    const auto known = std::find(rule_.openPredicates.begin(),
                                 rule_.openPredicates.end(), choice);
    node.openPredicate =
        static_cast<unsigned>(known - rule_.openPredicates.begin());
    if (known == rule_.openPredicates.end())
      rule_.openPredicates.push_back(choice);
  }
  const NodeId left = parseTypedOperand(scanner);
  scanner.expect(",");
  const NodeId right = parseTypedOperand(scanner);
  node.operands = {left, right};
  unify(left, right);
  node.type = rule_.types.add();
  rule_.types.fix(node.type, 1);
  return add(std::move(node));
}

NodeId Parser::parseSelect(Scanner &scanner) {
  Node node;
  node.kind = Node::Kind::instruction;
  node.opcode = Opcode::select;
  const NodeId condition = parseTypedOperand(scanner);
  rule_.types.fix(typeOf(condition), 1);
  scanner.expect(",");
  const NodeId yes = parseTypedOperand(scanner);
  scanner.expect(",");
  const NodeId no = parseTypedOperand(scanner);
  unify(yes, no);
  node.operands = {condition, yes, no};
  node.type = typeOf(yes);
  return add(std::move(node));
}

NodeId Parser::parseConversion(Scanner &scanner, const std::string &word) {
  Node node;
  if (word == "ZExtOrTrunc" || word == "bitcast") {
    node.kind = word == "bitcast" ? Node::Kind::copy : Node::Kind::resize;
  } else {
    node.kind = Node::Kind::instruction;
    node.opcode = *corpus::findOpcode(word);
    node.flags = parseFlags(scanner, node.opcode);
  }
  const NodeId operand = parseTypedOperand(scanner);
  node.operands = {operand};
  node.type = rule_.types.add();
  if (scanner.acceptWord("to")) {
    const auto type = parseType(scanner);
    if (!type)
      scanner.fail("a type (i8, Ty, ...)");
    rule_.types.unify(node.type, *type);
  }
  if (word == "trunc")
    rule_.types.less(node.type, typeOf(operand));
  else if (word == "zext" || word == "sext")
    rule_.types.less(typeOf(operand), node.type);
  else if (word == "bitcast")
    rule_.types.unify(node.type, typeOf(operand));
  return add(std::move(node));
}

/// The grammar of what this tool leaves out: operands with types and commas.
void Parser::parseUnsupported(Scanner &scanner, const std::string &word) {
  lack(word);
  scanner.acceptWord("inbounds");
  if (scanner.atEnd())
    return;
  do {
    if (scanner.acceptWord("label")) {
      if (!scanner.takeRegister())
        scanner.fail("a label");
    } else if (scanner.acceptWord("align")) {
      parseAtom(scanner);
    } else {
      const bool hasType = parseType(scanner).has_value();
      if (!hasType || !(scanner.atEnd() || scanner.sees(",")))
        parseOperand(scanner);
      if (scanner.acceptWord("to") && !parseType(scanner))
        scanner.fail("a type");
    }
  } while (scanner.accept(","));
}

/// What stands behind `%x =`.
NodeId Parser::parseRight(Scanner &scanner, const std::string &name) {
  const std::size_t start = scanner.position();
  const std::string word = scanner.takeWord();
  if (word == "icmp")
    return parseIcmp(scanner, name);
  if (word == "select")
    return parseSelect(scanner);
  if (word == "ZExtOrTrunc" || word == "bitcast" || word == "zext" ||
      word == "sext" || word == "trunc")
    return parseConversion(scanner, word);
  if (isUnsupportedInstruction(word)) {
    parseUnsupported(scanner, word);
    return literal(0, false, scanner.line());
  }
  if (word == "freeze") {
    Node node;
    node.kind = Node::Kind::instruction;
    node.opcode = Opcode::freeze;
    node.operands = {parseTypedOperand(scanner)};
    node.type = typeOf(node.operands[0]);
    return add(std::move(node));
  }
  const auto opcode = corpus::findOpcode(word);
  if (opcode && info(*opcode).shape == corpus::Shape::binary)
    return parseBinary(scanner, *opcode);
  scanner.rewind(start);
  const bool isOperand =
      scanner.sees("%") || scanner.sees("(") || scanner.sees("-") ||
      scanner.sees("~") || scanner.sees("[") || word.empty() ||
      word[0] == 'C' || word[0] == 'i' || word.starts_with("Ty") ||
      word == "undef" || word == "true" || word == "false" || word == "null" ||
      std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  const bool isFunction = std::any_of(
      functionTable.begin(), functionTable.end(),
      [&](const FunctionInfo &row) { return row.spelling == word; });
  if (!isOperand && !isFunction)
    scanner.fail("an instruction or an operand");
  Node node;
  node.kind = Node::Kind::copy;
  node.operands = {parseTypedOperand(scanner)};
  node.type = typeOf(node.operands[0]);
  return add(std::move(node));
}

void Parser::define(const std::string &name, NodeId node, unsigned line) {
  const auto found = names_.find(name);
  const bool redefines = found != names_.end() &&
                         std::find(beforeTarget_.begin(), beforeTarget_.end(),
                                   found->second) != beforeTarget_.end();
  if (found != names_.end() && !(phase_ == Phase::target && redefines))
    throw SyntaxError{line, fmt::format("{} is defined a second time", name)};
  if (redefines) {
    rule_.types.unify(typeOf(found->second), typeOf(node));
    rule_.roots.push_back({found->second, node});
  }
  rule_.nodes[node].name = name;
  rule_.nodes[node].line = line;
  rule_.types.anchor(typeOf(node));
  names_[name] = node;
  (phase_ == Phase::source ? rule_.source : rule_.target).push_back(node);
}

void Parser::parseInstruction(Scanner &scanner) {
  const std::size_t start = scanner.position();
  if (const auto name = scanner.takeRegister()) {
    scanner.expect("=");
    const NodeId node = parseRight(scanner, *name);
    define(*name, node, scanner.line());
  } else {
    const std::string word = scanner.takeWord();
    if (scanner.accept(":"))
      lack("basic block");
    else if (isUnsupportedInstruction(word))
      parseUnsupported(scanner, word);
    else if (word != "skip") {
      scanner.rewind(start);
      scanner.fail("'%name = instruction'");
    }
  }
  if (!scanner.atEnd())
    scanner.fail("the end of the line");
}

void Parser::parseTemplate(const std::vector<Line> &lines, Phase phase) {
  phase_ = phase;
  for (const Line &line : lines) {
    Scanner scanner(line);
    line_ = line.number;
    parseInstruction(scanner);
  }
}

/// What holds of the whole rule, and the order of its roots.
void Parser::finish() {
  if (rule_.unsupported)
    return;
  if (rule_.roots.empty())
    throw SyntaxError{rule_.line,
                      "expected a target that defines a register of the "
                      "source again: that is what the rule rewrites"};
  std::sort(rule_.roots.begin(), rule_.roots.end(),
            [](const Root &a, const Root &b) { return a.source < b.source; });
  std::vector<bool> used(rule_.nodes.size(), false);
  for (const Node &node : rule_.nodes)
    for (const NodeId operand : node.operands)
      used[operand] = true;
  const auto isRoot = [&](NodeId node) {
    return std::any_of(
        rule_.roots.begin(), rule_.roots.end(),
        [&](const Root &r) { return r.source == node || r.target == node; });
  };
  for (const auto *definitions : {&rule_.source, &rule_.target})
    for (const NodeId node : *definitions)
      if (!used[node] && !isRoot(node))
        throw SyntaxError{rule_.nodes[node].line,
                          fmt::format("{} is neither used nor does it replace "
                                      "a register of the source",
                                      rule_.nodes[node].name)};
}

/// Where the rule gives the type, numbers may be unsigned too.
void Parser::checkLiterals() const {
  for (const Node &node : rule_.nodes) {
    const auto width = rule_.types.fixedWidth(rule_.types.classOf(node.type));
    if (node.kind != Node::Kind::literal || !width || rule_.unsupported)
      continue;
    const auto number = static_cast<std::int64_t>(node.literal);
    const bool fits = *width == 64 || node.literal >> *width == 0 ||
                      number >> (*width - 1) == -1;
    if (!fits)
      throw SyntaxError{node.line, fmt::format("expected a number that i{} "
                                               "has, and {} is none",
                                               *width, number)};
  }
}

Rule Parser::parse() {
  rule_.name = raw_.name;
  rule_.line = raw_.line;
  if (!raw_.hasArrow)
    throw SyntaxError{raw_.line,
                      fmt::format("expected '=>' in rule {}", raw_.name)};
  if (raw_.source.empty() || raw_.target.empty())
    throw SyntaxError{raw_.line,
                      fmt::format("expected an instruction {} '=>' in rule {}",
                                  raw_.source.empty() ? "before" : "behind",
                                  raw_.name)};
  parseTemplate(raw_.source, Phase::source);
  beforeTarget_ = rule_.source;
  // The precondition speaks of the source; the target comes last.
  phase_ = Phase::precondition;
  if (raw_.precondition) {
    Scanner scanner(*raw_.precondition);
    line_ = scanner.line();
    if (!scanner.atEnd())
      rule_.precondition = parseDisjunction(scanner);
    if (!scanner.atEnd())
      scanner.fail("&& or || or the end of the precondition");
  }
  parseTemplate(raw_.target, Phase::target);
  finish();
  rule_.types.close();
  checkLiterals();
  return std::move(rule_);
}

std::string withoutComment(const std::string &line) {
  return line.substr(0, line.find(';'));
}

bool isBlank(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isspace(c) != 0; });
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.substr(0, 1)))
    text.remove_prefix(1);
  while (!text.empty() && isBlank(text.substr(text.size() - 1)))
    text.remove_suffix(1);
  return std::string(text);
}

std::vector<RawRule> rawRules(std::string_view text) {
  std::vector<RawRule> rules;
  bool isOpen = false; ///< what comes belongs to the last rule
  const auto current = [&](unsigned line) -> RawRule & {
    if (!isOpen) {
      rules.emplace_back();
      rules.back().line = line;
      rules.back().name = std::to_string(rules.size());
      isOpen = true;
    }
    return rules.back();
  };
  unsigned number = 0;
  for (const std::string &original : corpus::linesOf(std::string(text))) {
    ++number;
    if (original.size() > maximumLine)
      throw SyntaxError{number, fmt::format("expected a line of at most {} "
                                            "characters, and this has {}",
                                            maximumLine, original.size())};
    const std::string line = trimmed(withoutComment(original));
    if (line.empty())
      continue;
    if (line.starts_with("Name:")) {
      isOpen = false;
      current(number).name = trimmed(trimmed(original).substr(5));
      continue;
    }
    RawRule &rule = current(number);
    if (line.starts_with("Pre:")) {
      if (rule.precondition || !rule.source.empty())
        throw SyntaxError{number, "expected one 'Pre:' before the source "
                                  "template of a rule"};
      rule.precondition = Line{number, line.substr(4)};
      continue;
    }
    const std::size_t arrow = line.find("=>");
    const auto addLine = [&](const std::string &part) {
      if (!isBlank(part))
        (rule.hasArrow ? rule.target : rule.source)
            .push_back({number, trimmed(part)});
    };
    if (arrow == line.npos) {
      addLine(line);
      continue;
    }
    if (rule.hasArrow)
      throw SyntaxError{number, "expected 'Name:' before another rule"};
    addLine(line.substr(0, arrow));
    rule.hasArrow = true;
    addLine(line.substr(arrow + 2));
  }
  return rules;
}

} // namespace

bool Rule::isConstant(NodeId node) const {
  const Node &n = nodes[node];
  switch (n.kind) {
  case Node::Kind::symbol:
  case Node::Kind::literal:
  case Node::Kind::operation:
  case Node::Kind::complement:
  case Node::Kind::negation:
  case Node::Kind::function:
    return true;
  case Node::Kind::input:
  case Node::Kind::undef:
  case Node::Kind::instruction:
  case Node::Kind::copy:
  case Node::Kind::resize:
    return false;
  }
  return false;
}

unsigned Rule::uses(NodeId node) const {
  unsigned count = 0;
  for (const NodeId user : source)
    count += static_cast<unsigned>(std::count(
        nodes[user].operands.begin(), nodes[user].operands.end(), node));
  return count;
}

Result<std::vector<Rule>> parseRules(std::string_view text) {
  try {
    std::vector<Rule> rules;
    for (const RawRule &raw : rawRules(text))
      rules.push_back(Parser(raw).parse());
    return rules;
  } catch (const SyntaxError &error) {
    return Error{fmt::format("line {}: {}", error.line, error.message)};
  }
}

} // namespace checker::rules
