// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/brute_force.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace enumerate::testing {

std::vector<Form> coreForms(unsigned width) {
  std::vector<Form> forms;
  const std::string iw = fmt::format("i{}", width);
  const auto binary = [&](std::string_view name, const std::string &type,
                          unsigned bits) {
    forms.push_back(
        {fmt::format("{} {} $0, $1", name, type), {bits, bits}, bits});
  };
  for (const char *name : {"add", "sub", "mul", "shl"})
    for (const char *flags : {"", " nuw", " nsw", " nuw nsw"})
      binary(fmt::format("{}{}", name, flags), iw, width);
  for (const char *name : {"udiv", "sdiv", "lshr", "ashr"})
    for (const char *flags : {"", " exact"})
      binary(fmt::format("{}{}", name, flags), iw, width);
  for (const char *name : {"urem", "srem", "and", "or", "xor"})
    binary(name, iw, width);
  for (const char *name :
       {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"})
    forms.push_back(
        {fmt::format("icmp {} {} $0, $1", name, iw), {width, width}, 1});
  std::vector<unsigned> types = {1};
  if (width != 1) {
    types.push_back(width);
    for (const char *name : {"and", "or", "xor"})
      binary(name, "i1", 1);
    forms.push_back({fmt::format("zext i1 $0 to {}", iw), {1}, width});
    forms.push_back({fmt::format("sext i1 $0 to {}", iw), {1}, width});
    forms.push_back({fmt::format("trunc {} $0 to i1", iw), {width}, 1});
  }
  for (unsigned type : types) {
    forms.push_back({fmt::format("select i1 $0, i{0} $1, i{0} $2", type),
                     {1, type, type},
                     type});
    forms.push_back({fmt::format("freeze i{} $0", type), {type}, type});
  }
  return forms;
}

std::vector<std::string> allConstants(unsigned width) {
  if (width == 1)
    return {"false", "true"};
  std::vector<std::string> result;
  const int half = 1 << (width - 1);
  for (int value = -half; value < half; ++value)
    result.push_back(std::to_string(value));
  return result;
}

namespace {

struct Leaf {
  enum class Kind { constant, indefinite, argument, result } kind;
  unsigned width;
  std::string text;  ///< of a literal
  std::size_t index; ///< label of an argument, number of a result
};

struct Line {
  const Form *form;
  std::vector<Leaf> operands;
};

class Generator {
public:
  explicit Generator(const BruteForceSpace &space) : space_(space) {}

  std::set<std::string> run() {
    extend();
    return std::move(found_);
  }

private:
  void extend() {
    if (lines_.size() == space_.instructions) {
      if (isMember()) {
        EXPECT_TRUE(found_.insert(render()).second) << render();
      }
      return;
    }
    for (const Form &form : space_.forms) {
      lines_.push_back({&form, {}});
      fill();
      lines_.pop_back();
    }
  }

  /// Chooses the next operand of the last line in every way.
  void fill() {
    const Form &form = *lines_.back().form;
    const std::size_t position = lines_.back().operands.size();
    if (position == form.operands.size()) {
      if (hasVariableOperand(lines_.back()))
        extend();
      return;
    }
    for (const Leaf &leaf : leaves(form.operands[position])) {
      lines_.back().operands.push_back(leaf);
      fill();
      lines_.back().operands.pop_back();
    }
  }

  std::vector<Leaf> leaves(unsigned width) const {
    std::vector<Leaf> result;
    for (const std::string &text : space_.constants.at(width))
      result.push_back({Leaf::Kind::constant, width, text, 0});
    for (const std::string &text : space_.indefinite)
      result.push_back({Leaf::Kind::indefinite, width, text, 0});
    for (std::size_t i = 0; i < space_.arguments; ++i)
      result.push_back({Leaf::Kind::argument, width, "", i});
    for (std::size_t i = 0; i + 1 < lines_.size(); ++i)
      if (lines_[i].form->result == width)
        result.push_back({Leaf::Kind::result, width, "", i});
    return result;
  }

  static bool hasVariableOperand(const Line &line) {
    return std::any_of(line.operands.begin(), line.operands.end(),
                       [&](const Leaf &leaf) {
                         return leaf.kind == Leaf::Kind::argument ||
                                leaf.kind == Leaf::Kind::result ||
                                (leaf.kind == Leaf::Kind::indefinite &&
                                 line.form->text.starts_with("freeze"));
                       });
  }

  /// All but the last line used, few enough arguments, and of all labellings of
  /// the arguments the one where each type counts 0, 1, ... by first use.
  bool isMember() const {
    std::set<std::size_t> used;
    std::set<std::pair<unsigned, std::size_t>> arguments;
    std::map<unsigned, std::size_t> next;
    for (const Line &line : lines_)
      for (const Leaf &leaf : line.operands) {
        if (leaf.kind == Leaf::Kind::result)
          used.insert(leaf.index);
        if (leaf.kind != Leaf::Kind::argument ||
            !arguments.insert({leaf.width, leaf.index}).second)
          continue;
        if (leaf.index != next[leaf.width]++)
          return false;
      }
    return used.size() + 1 == lines_.size() &&
           arguments.size() <= space_.arguments;
  }

  std::string render() const {
    std::map<std::pair<unsigned, std::size_t>, std::string> names;
    std::string parameters;
    std::string body;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string text = lines_[i].form->text;
      for (std::size_t j = 0; j < lines_[i].operands.size(); ++j) {
        const Leaf &leaf = lines_[i].operands[j];
        std::string name = leaf.text;
        if (leaf.kind == Leaf::Kind::result)
          name = fmt::format("%v{}", leaf.index);
        if (leaf.kind == Leaf::Kind::argument) {
          std::string &known = names[{leaf.width, leaf.index}];
          if (known.empty()) {
            known =
                fmt::format("%{}", static_cast<char>('a' + names.size() - 1));
            parameters += fmt::format(
                "{}i{} {}", parameters.empty() ? "" : ", ", leaf.width, known);
          }
          name = known;
        }
        text.replace(text.find(fmt::format("${}", j)), 2, name);
      }
      body += fmt::format("  %v{} = {}\n", i, text);
    }
    const unsigned result = lines_.back().form->result;
    return fmt::format("define i{0} @f({1}) {{\n{2}  ret i{0} %v{3}\n}}\n",
                       result, parameters, body, lines_.size() - 1);
  }

  const BruteForceSpace &space_;
  std::vector<Line> lines_;
  std::set<std::string> found_;
};

} // namespace

std::set<std::string> generateAndFilter(const BruteForceSpace &space) {
  return Generator(space).run();
}

} // namespace enumerate::testing
