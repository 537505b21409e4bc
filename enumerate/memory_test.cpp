// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spaces with memory against generate-and-filter over text: here every operand
// is anything of its type, leaves have any numbers, and the definition of such
// a space says what is too much. Shares no code with the spaces.
#include "corpus/program/print.h"
#include "enumerate/checked_members.h"
#include "enumerate/space.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace enumerate {
namespace {

/// One way to write an instruction: $0, $1, ... for its operands, which are of
/// these types; `alloca` is a pointer that an alloca makes.
struct Form {
  std::string text;
  std::vector<std::string> operands;
  std::string result = "";
  bool isAccess = false; ///< its pointers are no literals
};
using Forms = std::vector<Form>;

Forms operator+(Forms forms, const Forms &more) {
  forms.insert(forms.end(), more.begin(), more.end());
  return forms;
}

/// Loads and stores with that alignment.
Forms accesses(const std::string &type, unsigned alignment = 1) {
  return {{fmt::format("load {}, ptr $0, align {}", type, alignment),
           {"ptr"},
           type,
           true},
          {fmt::format("store {} $0, ptr $1, align {}", type, alignment),
           {type, "ptr"},
           "",
           true}};
}

Forms addresses(const std::string &flags) {
  return {{fmt::format("getelementptr {}i8, ptr $0, i64 1", flags),
           {"ptr"},
           "ptr"}};
}

Forms copies() {
  Forms forms;
  for (int length : {0, 1, 2}) {
    for (const char *name : {"memcpy", "memmove"})
      forms.push_back({fmt::format("call void @llvm.{}.p0.p0.i64(ptr $0, ptr "
                                   "$1, i64 {}, i1 false)",
                                   name, length),
                       {"ptr", "ptr"},
                       "",
                       true});
    forms.push_back({fmt::format("call void @llvm.memset.p0.i64(ptr $0, i8 $1, "
                                 "i64 {}, i1 false)",
                                 length),
                     {"ptr", "i8"},
                     "",
                     true});
  }
  return forms;
}

Forms comparisons() {
  Forms forms;
  for (const char *name :
       {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"})
    forms.push_back(
        {fmt::format("icmp {} ptr $0, $1", name), {"ptr", "ptr"}, "i1"});
  return forms;
}

Form selection() {
  return {"select i1 $0, ptr $1, ptr $2", {"i1", "ptr", "ptr"}, "ptr"};
}

/// `graph=if` where it is not one block: three, of which the last may have
/// phis of that text and type.
struct Case {
  const char *spec;
  unsigned instructions;
  std::vector<std::string> allocas; ///< as they stand behind `alloca `
  unsigned pointers;
  unsigned arguments;
  Forms forms;
  std::vector<std::string> returned; ///< types, beside void
  std::map<std::string, std::vector<std::string>> literals;
  std::vector<std::string> attributes = {""};
  std::vector<std::string> phis = {}; ///< types; of any: graph=if
  bool isBranching = false;
};

void PrintTo(const Case &value, std::ostream *out) { *out << value.spec; }

struct Leaf {
  enum class Kind { literal, argument, alloca, result } kind;
  std::string type;
  std::string text;
  std::size_t index;
};

struct Line {
  const Form *form = nullptr; ///< none: a phi
  std::string type;           ///< of the phi, or what a terminator takes
  unsigned block = 0;
  std::vector<Leaf> operands;
};

/// Chooses lines for the blocks, then all operands, terminators' and phis' too,
/// then checks the whole and writes it down.
class Generator {
public:
  explicit Generator(const Case &what) : case_(what) {}

  std::set<std::string> run() {
    placeLines(0);
    return std::move(found_);
  }

private:
  unsigned blocks() const { return case_.isBranching ? 3 : 1; }

  void placeLines(unsigned block) {
    if (lines_.size() == case_.instructions)
      chooseReturn();
    if (lines_.size() == case_.instructions)
      return;
    for (unsigned next = block; next < blocks(); ++next) {
      for (const Form &form : case_.forms)
        place({&form, form.result, next, {}});
      const bool isBehindOther = !lines_.empty() &&
                                 lines_.back().block == next &&
                                 lines_.back().form != nullptr;
      if (next == 2 && !isBehindOther)
        for (const std::string &type : case_.phis)
          place({nullptr, type, next, {}});
    }
  }
  void place(Line line) {
    const unsigned block = line.block;
    lines_.push_back(std::move(line));
    placeLines(block);
    lines_.pop_back();
  }

  void chooseReturn() {
    returned_ = "";
    fill(0, 0);
    for (const std::string &type : case_.returned) {
      returned_ = type;
      fill(0, 0);
    }
  }

  /// What line `line` takes; behind the lines stand the condition of the branch
  /// and what is returned.
  std::vector<std::string> typesOf(std::size_t line) const {
    if (line < lines_.size())
      return lines_[line].form == nullptr
                 ? std::vector<std::string>{lines_[line].type,
                                            lines_[line].type}
                 : lines_[line].form->operands;
    if (line == lines_.size())
      return case_.isBranching ? std::vector<std::string>{"i1"}
                               : std::vector<std::string>{};
    return returned_.empty() ? std::vector<std::string>{}
                             : std::vector<std::string>{returned_};
  }
  std::vector<Leaf> &operandsOf(std::size_t line) {
    return line < lines_.size() ? lines_[line].operands
                                : ends_[line - lines_.size()];
  }

  void fill(std::size_t line, std::size_t operand) {
    const auto types =
        line < lines_.size() + 2 ? typesOf(line) : std::vector<std::string>();
    if (line == lines_.size() + 2)
      return finish();
    if (operand == types.size())
      return fill(line + 1, 0);
    for (Leaf &leaf : leaves(types[operand])) {
      if (!mayStand(line, operand, leaf))
        continue;
      operandsOf(line).push_back(leaf);
      fill(line, operand + 1);
      operandsOf(line).pop_back();
    }
  }

  std::vector<Leaf> leaves(const std::string &type) const {
    const bool isAlloca = type == "alloca";
    const std::string real = isAlloca ? "ptr" : type;
    std::vector<Leaf> result;
    if (!isAlloca && case_.literals.count(real) != 0)
      for (const std::string &text : case_.literals.at(real))
        result.push_back({Leaf::Kind::literal, real, text, 0});
    const unsigned arguments =
        real == "ptr" ? case_.pointers * unsigned(case_.attributes.size())
                      : case_.arguments;
    for (std::size_t i = 0; !isAlloca && i < arguments; ++i)
      result.push_back({Leaf::Kind::argument, real, "", i});
    for (std::size_t i = 0; real == "ptr" && i < case_.allocas.size(); ++i)
      result.push_back({Leaf::Kind::alloca, real, "", i});
    for (std::size_t i = 0; !isAlloca && i < lines_.size(); ++i)
      if (lines_[i].type == real)
        result.push_back({Leaf::Kind::result, real, "", i});
    return result;
  }

  /// Dominance, and where literals may not stand.
  bool mayStand(std::size_t line, std::size_t operand, const Leaf &leaf) const {
    if (leaf.kind == Leaf::Kind::result) {
      const unsigned home = lines_[leaf.index].block;
      if (line < lines_.size() && lines_[line].form == nullptr) {
        // Block 0 comes to the last one, and block 1.
        if (home == 2 || (home == 1 && operand == 0))
          return false;
      } else if (line < lines_.size()) {
        const unsigned block = lines_[line].block;
        if (leaf.index >= line || (home != block && home != 0))
          return false;
      } else if (line == lines_.size() ? home != 0 : home == 1) {
        return false;
      }
    }
    if (leaf.kind != Leaf::Kind::literal)
      return true;
    if (line == lines_.size())
      return false; // the condition
    return line > lines_.size() || lines_[line].form == nullptr ||
           !lines_[line].form->isAccess || leaf.type != "ptr";
  }

  void finish() {
    std::set<std::size_t> used;
    for (std::size_t line = 0; line < lines_.size() + 2; ++line) {
      const auto &operands = operandsOf(line);
      bool allLiteral = !operands.empty() && line < lines_.size() &&
                        lines_[line].form != nullptr;
      for (const Leaf &leaf : operands) {
        allLiteral &= leaf.kind == Leaf::Kind::literal;
        if (leaf.kind == Leaf::Kind::result)
          used.insert(leaf.index);
      }
      if (allLiteral)
        return;
      if (line < lines_.size() && lines_[line].form == nullptr &&
          operands[0].kind == operands[1].kind &&
          operands[0].text == operands[1].text &&
          operands[0].index == operands[1].index)
        return;
    }
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!lines_[i].type.empty() && used.count(i) == 0)
        return;
    render();
  }

  /// Operands in the order in which leaves are numbered: as the text goes, phis
  /// last.
  std::vector<const Leaf *> inOrder() {
    std::vector<const Leaf *> leaves;
    const auto add = [&](std::size_t line) {
      for (const Leaf &leaf : operandsOf(line))
        leaves.push_back(&leaf);
    };
    for (unsigned block = 0; block < blocks(); ++block) {
      for (std::size_t i = 0; i < lines_.size(); ++i)
        if (lines_[i].block == block && lines_[i].form != nullptr)
          add(i);
      if (block == 0 && blocks() > 1)
        add(lines_.size());
      if (block + 1 == blocks())
        add(lines_.size() + 1);
    }
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].form == nullptr)
        add(i);
    return leaves;
  }

  void render() {
    // Pointer argument i carries the attributes i % all.
    std::map<std::pair<std::string, std::size_t>, std::string> names;
    std::vector<std::size_t> allocas;
    std::string parameters;
    unsigned pointers = 0;
    unsigned others = 0;
    for (const Leaf *leaf : inOrder()) {
      if (leaf->kind == Leaf::Kind::alloca &&
          std::find(allocas.begin(), allocas.end(), leaf->index) ==
              allocas.end())
        allocas.push_back(leaf->index);
      if (leaf->kind != Leaf::Kind::argument ||
          names.count({leaf->type, leaf->index}) != 0)
        continue;
      const std::string name =
          fmt::format("%{}", static_cast<char>('a' + names.size()));
      names[{leaf->type, leaf->index}] = name;
      const bool isPointer = leaf->type == "ptr";
      ++(isPointer ? pointers : others);
      const std::string carried =
          isPointer ? case_.attributes[leaf->index % case_.attributes.size()]
                    : "";
      parameters += fmt::format("{}{}{} {}", parameters.empty() ? "" : ", ",
                                leaf->type, carried, name);
    }
    if (pointers > case_.pointers || others > case_.arguments)
      return;
    const auto nameOf = [&](const Leaf &leaf) {
      switch (leaf.kind) {
      case Leaf::Kind::argument:
        return names.at({leaf.type, leaf.index});
      case Leaf::Kind::alloca:
        return fmt::format(
            "%v{}", std::find(allocas.begin(), allocas.end(), leaf.index) -
                        allocas.begin());
      case Leaf::Kind::result:
        // An instruction's number, terminators counted.
        return fmt::format("%v{}", allocas.size() + leaf.index +
                                       lines_[leaf.index].block);
      case Leaf::Kind::literal:
        break;
      }
      return leaf.text;
    };
    std::string body;
    for (std::size_t i = 0; i < allocas.size(); ++i)
      body += fmt::format("  %v{} = alloca {}\n", i, case_.allocas[allocas[i]]);
    for (unsigned block = 0; block < blocks(); ++block) {
      if (block != 0)
        body += fmt::format("b{}:\n", block);
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        const Line &line = lines_[i];
        if (line.block != block)
          continue;
        std::string text =
            line.form == nullptr
                ? fmt::format("phi {} [ $0, %entry ], [ $1, %b1 ]", line.type)
                : line.form->text;
        for (std::size_t o = 0; o < line.operands.size(); ++o)
          text.replace(text.find(fmt::format("${}", o)), 2,
                       nameOf(line.operands[o]));
        const Leaf self = {Leaf::Kind::result, line.type, "", i};
        body += line.type.empty()
                    ? fmt::format("  {}\n", text)
                    : fmt::format("  {} = {}\n", nameOf(self), text);
      }
      if (block + 1 == blocks())
        body += returned_.empty() ? "  ret void\n"
                                  : fmt::format("  ret {} {}\n", returned_,
                                                nameOf(ends_[1].front()));
      else
        body += block == 0 ? fmt::format("  br i1 {}, label %b1, label %b2\n",
                                         nameOf(ends_[0].front()))
                           : "  br label %b2\n";
    }
    found_.insert(fmt::format(
        "define {} @f({}) {{\n{}{}}}\n", returned_.empty() ? "void" : returned_,
        parameters, blocks() > 1 ? "entry:\n" : "", body));
  }

  const Case &case_;
  std::vector<Line> lines_;
  std::array<std::vector<Leaf>, 2> ends_; ///< condition and returned value
  std::string returned_;
  std::set<std::string> found_;
};

class Memory : public ::testing::TestWithParam<Case> {};

TEST_P(Memory, sameFunctionsAsBruteForce) {
  const auto space = parseSpace(GetParam().spec);
  ASSERT_TRUE(space) << space.error().message;
  std::set<std::string> members;
  ASSERT_NO_FATAL_FAILURE(testing::collectMembers(**space, members));
  const std::set<std::string> expected = Generator(GetParam()).run();
  for (const std::string &text : expected)
    ASSERT_TRUE(members.count(text) != 0) << "not a member:\n" << text;
  for (const std::string &text : members)
    ASSERT_TRUE(expected.count(text) != 0) << "too much:\n" << text;
}

const std::map<std::string, std::vector<std::string>> none;
const std::map<std::string, std::vector<std::string>> two = {
    {"i8", {"0", "1"}},
    {"i1", {"false", "true"}},
};
const std::map<std::string, std::vector<std::string>> twoOrPoison = {
    {"i8", {"0", "1", "poison"}},
    {"i16", {"0", "1", "poison"}},
    {"i1", {"false", "true", "poison"}},
    {"ptr", {"poison"}},
};
const std::string byte = "i8, align 1";

INSTANTIATE_TEST_SUITE_P(
    StraightLine, Memory,
    ::testing::Values(
        Case{"i8x3:mem=a1,args=2,consts=two,poison",
             3,
             {byte},
             0,
             2,
             accesses("i8"),
             {"i8"},
             twoOrPoison},
        Case{"i8x3:mem=a1+a2+p1,args=1,consts=none",
             3,
             {byte, "i16, align 2"},
             1,
             1,
             accesses("i8"),
             {"i8"},
             none},
        Case{"i8x2:mem=a1+a1+a3+p1+p1,args=1,consts=two",
             2,
             {byte, byte, "[3 x i8], align 1"},
             2,
             1,
             accesses("i8"),
             {"i8"},
             two},
        Case{"i8x2:mem=a1,align,args=1,consts=two,poison",
             2,
             {"i8, align 2"},
             0,
             1,
             accesses("i8") + accesses("i8", 2),
             {"i8"},
             twoOrPoison},
        Case{"i8x2:mem=a2+p2,access=8+16,align,args=1,consts=two,poison",
             2,
             {"i16, align 2"},
             1,
             1,
             accesses("i8") + accesses("i8", 2) + accesses("i16") +
                 accesses("i16", 2),
             {"i8", "i16"},
             twoOrPoison},
        Case{"i8x2:mem=a2+p2,access=8+2x8,args=2,consts=two,poison",
             2,
             {"i16, align 2"},
             1,
             2,
             accesses("i8") + accesses("<2 x i8>"),
             {"i8", "<2 x i8>"},
             {{"i8", {"0", "1", "poison"}},
              {"<2 x i8>", {"<i8 0, i8 0>", "<i8 1, i8 1>", "poison"}}}},
        Case{"i8x3:mem=a1+p1,gep=inbounds,args=1,consts=none",
             3,
             {byte},
             1,
             1,
             accesses("i8") + addresses("") + addresses("inbounds "),
             {"i8"},
             none},
        Case{"i8x2:mem=p1,index,gep,args=1,consts=two",
             2,
             {},
             1,
             1,
             accesses("i8") + addresses("") +
                 Forms{
                     {"getelementptr i8, ptr $0, i1 $1", {"ptr", "i1"}, "ptr"}},
             {"i8"},
             two},
        Case{"i8x2:mem=a1+p1,ptr=select+icmp+ret,args=2,consts=two,poison",
             2,
             {byte},
             1,
             2,
             accesses("i8") + comparisons() + Forms{selection()},
             {"i8", "i1", "ptr"},
             twoOrPoison},
        Case{"i8x2:mem=p1,ptr=icmp,null,args=1,consts=none",
             2,
             {},
             1,
             1,
             accesses("i8") + comparisons(),
             {"i8", "i1"},
             {{"ptr", {"null"}}}},
        Case{"i8x2:mem=a1+p1,intrinsics,args=1,consts=two",
             2,
             {byte},
             1,
             1,
             accesses("i8") + copies(),
             {"i8"},
             two},
        Case{
            "i8x3:mem=a1+p1,lifetime,args=1,consts=none",
            3,
            {byte},
            1,
            1,
            accesses("i8") +
                Forms{{"call void @llvm.lifetime.start.p0(ptr $0)", {"alloca"}},
                      {"call void @llvm.lifetime.end.p0(ptr $0)", {"alloca"}}},
            {"i8"},
            none},
        Case{"i8x2:mem=a1+p1,calls=read,args=1,consts=two",
             2,
             {byte},
             1,
             1,
             accesses("i8") + Forms{{"call void @use()", {}},
                                    {"call void @use_i8(i8 $0)", {"i8"}},
                                    {"call void @use_ptr(ptr $0)", {"ptr"}}},
             {"i8"},
             two},
        Case{"i8x2:mem=p1,assume,ptr=icmp,args=1,consts=none",
             2,
             {},
             1,
             1,
             accesses("i8") + comparisons() +
                 Forms{{"call void @llvm.assume(i1 $0)", {"i1"}}},
             {"i1", "i8"},
             none},
        Case{"i8x2:mem=p1,calls=read+value,args=1,consts=two",
             2,
             {},
             1,
             1,
             accesses("i8") +
                 Forms{{"call i8 @use()", {}, "i8"},
                       {"call i8 @use_i8(i8 $0)", {"i8"}, "i8"},
                       {"call i8 @use_ptr(ptr $0)", {"ptr"}, "i8"}},
             {"i8"},
             two},
        Case{"i8x2:mem=p2+p2,attrs=noalias+dereferenceable,args=1,consts=none",
             2,
             {},
             2,
             1,
             accesses("i8"),
             {"i8"},
             none,
             {"", " noalias", " dereferenceable(2)",
              " dereferenceable(2) noalias"}},
        Case{"i8x1:mem=p1,attrs=readonly+writeonly+initializes,args=1,"
             "consts=none",
             1,
             {},
             1,
             1,
             accesses("i8"),
             {"i8"},
             none,
             {"", " readonly", " writeonly", " initializes((0, 1))",
              " writeonly initializes((0, 1))"}},
        Case{"i8x2:mem=a1,ops=load+store+xor,args=1,consts=two",
             2,
             {byte},
             0,
             1,
             accesses("i8") + Forms{{"xor i8 $0, $1", {"i8", "i8"}, "i8"},
                                    {"xor i1 $0, $1", {"i1", "i1"}, "i1"}},
             {"i8", "i1"},
             two}));

Case branching(Case what, std::vector<std::string> phis) {
  what.isBranching = true;
  what.phis = std::move(phis);
  return what;
}

INSTANTIATE_TEST_SUITE_P(
    Branching, Memory,
    ::testing::Values(
        branching({"i8x2:mem=a1+p1,graph=if,args=2,consts=two,poison",
                   2,
                   {byte},
                   1,
                   2,
                   accesses("i8"),
                   {"i8"},
                   twoOrPoison},
                  {"i8"}),
        branching({"i8x3:mem=a1,graph=if,args=1,consts=none",
                   3,
                   {byte},
                   0,
                   1,
                   accesses("i8"),
                   {"i8"},
                   none},
                  {"i8"}),
        branching({"i8x2:mem=a2,access=2x8,graph=if,args=2,consts=none",
                   2,
                   {"i16, align 2"},
                   0,
                   2,
                   accesses("<2 x i8>"),
                   {"<2 x i8>"},
                   none},
                  {"<2 x i8>"}),
        branching({"i8x2:mem=a1+p1,graph=if,ptr=phi,args=1,consts=none,poison",
                   2,
                   {byte},
                   1,
                   1,
                   accesses("i8"),
                   {"i8"},
                   {{"i8", {"poison"}}, {"ptr", {"poison"}}}},
                  {"i8", "ptr"})));

/// By hand. A byte that a load of one pointer, or store to it, accesses: load
/// and return; a store of an argument or 0 or 1, and then nothing, 0, 1, that
/// argument or another returned.
TEST(Memory, countsByHand) {
  const auto count = [](std::string_view spec) {
    return (*parseSpace(spec))->count();
  };
  // 1 load; stores of 2 constants with 4 ends (void, 0, 1, a new argument); of
  // an argument with 5.
  EXPECT_EQ(count("i8x1:mem=p1,args=2,consts=two"), 1U + 2U * 4U + 5U);
  // Both of the pointer and the alloca, which is at most one of both.
  EXPECT_EQ(count("i8x1:mem=a1+p1,args=2,consts=two"), 2U * 14U);
  // Twice as many accesses.
  EXPECT_EQ(count("i8x1:mem=p1,align,args=2,consts=two"), 2U * 14U);
  // No argument of i8: the branch takes one.
  EXPECT_EQ(count("i8x1:mem=p1,args=0,consts=two"), 1U + 2U * 3U);
}

} // namespace
} // namespace enumerate
