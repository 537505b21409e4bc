// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/brute_force.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <regex>

namespace enumerate::testing {

std::vector<Form> arithmeticForms(unsigned width) {
  std::vector<Form> forms;
  const auto binary = [&](std::string_view name) {
    forms.push_back(
        {fmt::format("{} i{} $0, $1", name, width), {width, width}, {width}});
  };
  for (const char *name : {"add", "sub", "mul", "shl"})
    for (const char *flags : {"", " nuw", " nsw", " nuw nsw"})
      binary(fmt::format("{}{}", name, flags));
  for (const char *name : {"udiv", "sdiv", "lshr", "ashr"})
    for (const char *flags : {"", " exact"})
      binary(fmt::format("{}{}", name, flags));
  for (const char *name : {"urem", "srem", "and", "or", "xor"})
    binary(name);
  for (const char *name :
       {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"})
    forms.push_back(
        {fmt::format("icmp {} i{} $0, $1", name, width), {width, width}, {1}});
  return forms;
}

std::vector<Form> choiceForms(unsigned width) {
  return {{fmt::format("select i1 $0, i{0} $1, i{0} $2", width),
           {1, width, width},
           {width}},
          {fmt::format("freeze i{} $0", width), {width}, {width}}};
}

std::vector<Form> bitForms() {
  return {{"and i1 $0, $1", {1, 1}, {1}},
          {"or i1 $0, $1", {1, 1}, {1}},
          {"xor i1 $0, $1", {1, 1}, {1}}};
}

std::vector<Form> castForms(unsigned narrow, unsigned wide) {
  return {{fmt::format("zext i{} $0 to i{}", narrow, wide), {narrow}, {wide}},
          {fmt::format("sext i{} $0 to i{}", narrow, wide), {narrow}, {wide}},
          {fmt::format("trunc i{} $0 to i{}", wide, narrow), {wide}, {narrow}}};
}

std::vector<Form> coreForms(unsigned width) {
  std::vector<Form> forms = arithmeticForms(width);
  const auto add = [&](const std::vector<Form> &more) {
    forms.insert(forms.end(), more.begin(), more.end());
  };
  add(choiceForms(width));
  if (width != 1) {
    add(choiceForms(1));
    add(bitForms());
    add(castForms(1, width));
  }
  return forms;
}

std::vector<Form> vectorForms(unsigned lanes, unsigned width) {
  const unsigned vector = vectorOf(lanes, width);
  const std::string lane = fmt::format("i{}", width);
  const std::string type = fmt::format("<{} x {}>", lanes, lane);
  std::vector<Form> forms = coreForms(width);
  for (Form &form : forms) {
    for (const unsigned each : std::set<unsigned>{1, width})
      form.text = std::regex_replace(form.text,
                                     std::regex(fmt::format("\\bi{}\\b", each)),
                                     fmt::format("<{} x i{}>", lanes, each));
    for (auto *types : {&form.operands, &form.results})
      for (unsigned &each : *types)
        each = vectorOf(lanes, each);
  }
  // Entries of a mask: each lane of both operands, and poison.
  const unsigned entries = 2 * lanes + 1;
  unsigned masks = 1;
  for (unsigned i = 0; i < lanes; ++i)
    masks *= entries;
  for (unsigned mask = 0; mask < masks; ++mask) {
    std::vector<std::string> texts;
    for (unsigned i = 0, rest = mask; i < lanes; ++i, rest /= entries)
      texts.push_back(rest % entries == 2 * lanes
                          ? "i32 poison"
                          : fmt::format("i32 {}", rest % entries));
    const bool isPoison = mask + 1 == masks;
    forms.push_back(
        {fmt::format(
             "shufflevector {0} $0, {0} $1, <{1} x i32> {2}", type, lanes,
             isPoison ? "poison" : fmt::format("<{}>", fmt::join(texts, ", "))),
         {vector, vector},
         {vector}});
  }
  for (unsigned i = 0; i <= lanes; ++i) {
    const bool isVariable = i == lanes;
    const std::string index =
        isVariable ? lane + " $" : fmt::format("i32 {}", i);
    Form insert = {fmt::format("insertelement {} $0, {} $1, {}{}", type, lane,
                               index, isVariable ? "2" : ""),
                   {vector, width},
                   {vector}};
    Form extract = {fmt::format("extractelement {} $0, {}{}", type, index,
                                isVariable ? "1" : ""),
                    {vector},
                    {width}};
    if (isVariable)
      for (Form *form : {&insert, &extract})
        form->operands.push_back(width);
    forms.push_back(insert);
    forms.push_back(extract);
  }
  const unsigned whole = lanes * width;
  forms.push_back(
      {fmt::format("bitcast {} $0 to i{}", type, whole), {vector}, {whole}});
  forms.push_back(
      {fmt::format("bitcast i{} $0 to {}", whole, type), {whole}, {vector}});
  for (const char *name :
       {"add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"})
    forms.push_back({fmt::format("call {0} @llvm.vector.reduce.{1}.v{2}{0}({3} "
                                 "$0)",
                                 lane, name, lanes, type),
                     {vector},
                     {width}});
  return forms;
}

std::vector<std::string> laneConstants(unsigned lanes, unsigned width,
                                       std::span<const std::string> holes) {
  std::vector<std::string> result;
  for (const std::string &number : allConstants(width)) {
    const std::vector<std::string> splat(lanes,
                                         fmt::format("i{} {}", width, number));
    result.push_back(fmt::format("<{}>", fmt::join(splat, ", ")));
    for (const std::string &hole : holes)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        std::vector<std::string> texts = splat;
        texts[lane] = fmt::format("i{} {}", width, hole);
        result.push_back(fmt::format("<{}>", fmt::join(texts, ", ")));
      }
  }
  return result;
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
  std::string text;   ///< of a literal
  std::size_t index;  ///< label of an argument, line of a result
  std::size_t result; ///< which one of that line
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
      result.push_back({Leaf::Kind::constant, width, text, 0, 0});
    for (const std::string &text : space_.indefinite)
      result.push_back({Leaf::Kind::indefinite, width, text, 0, 0});
    for (std::size_t i = 0; i < space_.arguments; ++i)
      result.push_back({Leaf::Kind::argument, width, "", i, 0});
    for (std::size_t i = 0; i + 1 < lines_.size(); ++i)
      for (std::size_t j = 0; j < lines_[i].form->results.size(); ++j)
        if (lines_[i].form->results[j] == width)
          result.push_back({Leaf::Kind::result, width, "", i, j});
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

  /// All results used but one of the last line, few enough arguments, and of
  /// all labellings of the arguments the one where each type counts 0, 1, ...
  /// by first use.
  bool isMember() const {
    std::set<std::pair<std::size_t, std::size_t>> used;
    std::set<std::pair<unsigned, std::size_t>> arguments;
    std::map<unsigned, std::size_t> next;
    for (const Line &line : lines_)
      for (const Leaf &leaf : line.operands) {
        if (leaf.kind == Leaf::Kind::result)
          used.insert({leaf.index, leaf.result});
        if (leaf.kind != Leaf::Kind::argument ||
            !arguments.insert({leaf.width, leaf.index}).second)
          continue;
        if (leaf.index != next[leaf.width]++)
          return false;
      }
    std::size_t results = 0;
    for (const Line &line : lines_)
      results += line.form->results.size();
    return used.size() + 1 == results && arguments.size() <= space_.arguments;
  }

  std::string render() const {
    std::map<std::pair<unsigned, std::size_t>, std::string> names;
    std::map<std::pair<std::size_t, std::size_t>, std::string> results;
    std::string parameters;
    std::string body;
    std::size_t number = 0;
    const auto emit = [&](const std::string &text) {
      body += fmt::format("  %v{} = {}\n", number, text);
      return fmt::format("%v{}", number++);
    };
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Form &form = *lines_[i].form;
      std::string text = form.text;
      for (std::size_t j = 0; j < lines_[i].operands.size(); ++j) {
        const Leaf &leaf = lines_[i].operands[j];
        std::string name = leaf.text;
        if (leaf.kind == Leaf::Kind::result)
          name = results[{leaf.index, leaf.result}];
        if (leaf.kind == Leaf::Kind::argument) {
          std::string &known = names[{leaf.width, leaf.index}];
          if (known.empty()) {
            known =
                fmt::format("%{}", static_cast<char>('a' + names.size() - 1));
            parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ",
                                      type(leaf.width), known);
          }
          name = known;
        }
        text.replace(text.find(fmt::format("${}", j)), 2, name);
      }
      const std::string result = emit(text);
      results[{i, 0}] = result;
      for (std::size_t j = 0; j < form.extracts.size(); ++j) {
        std::string extract = form.extracts[j];
        results[{i, j}] = emit(extract.replace(extract.find('$'), 1, result));
      }
    }
    const auto [value, width] = returned();
    return fmt::format("define {0} @f({1}) {{\n{2}  ret {0} {3}\n}}\n",
                       type(width), parameters, body, results[value]);
  }

  std::string type(unsigned width) const {
    const auto other = space_.types.find(width);
    return other == space_.types.end() ? fmt::format("i{}", width)
                                       : other->second;
  }

  /// The one unused result of the last line, and its width.
  std::pair<std::pair<std::size_t, std::size_t>, unsigned> returned() const {
    const std::size_t last = lines_.size() - 1;
    const std::vector<unsigned> &widths = lines_.back().form->results;
    return {{last, widths.size() - 1}, widths.back()};
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
