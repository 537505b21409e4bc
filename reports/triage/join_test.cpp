// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is one row, and what is not.
#include "reports/triage/join.h"

#include "reports/triage/known.h"
#include "runner/crash_text.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace reports {
namespace {

using checker::Kind;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i2 = Type::integer(2);
const Type pair = Type::vector(2, i2);

/// `opcode %a, %a` where there is one, and a lane of it.
Program lane(std::optional<Opcode> opcode, std::uint64_t index,
             Type vector = pair) {
  Program program;
  program.signature.returnType = i2;
  Operand value = program.addParameter(vector);
  if (opcode)
    value = program.append(*opcode, vector, {value, value});
  program.append(Opcode::ret, Type(),
                 {program.append(Opcode::extractelement, i2,
                                 {value, Operand::constant(i2, index)})});
  return program;
}

Bug failure(Kind kind, Program source, const char *id,
            const char *pass = "scalarizer") {
  Bug bug;
  bug.id = bug.root = id;
  bug.kind = kind;
  bug.pass = pass;
  bug.releases = {16};
  bug.source = std::move(source);
  return bug;
}

TEST(JoinRows, AnIndexOutOfRangeExplainsWhatHasOne) {
  std::vector<Bug> bugs = {
      failure(Kind::crash, lane(Opcode::add, 2), "larger"),
      failure(Kind::invalid, lane(Opcode::sub, 3), "invalid"),
      failure(Kind::crash, lane(std::nullopt, 1, Type::vector(1, i2)),
              "smallest"),
      failure(Kind::crash, lane(Opcode::add, 1), "in range"),
      failure(Kind::crash, lane(Opcode::add, 2), "pass", "instcombine"),
      failure(Kind::hang, lane(Opcode::add, 2), "hang"),
      failure(Kind::value, lane(Opcode::add, 2), "wrong"),
      failure(Kind::crash, lane(Opcode::add, 2), "release"),
  };
  bugs.back().releases = {14};
  joinRows(bugs);
  std::vector<std::string> roots;
  roots.reserve(bugs.size());
  for (const Bug &bug : bugs)
    roots.push_back(bug.root);
  EXPECT_EQ(roots, (std::vector<std::string>{"smallest", "smallest", "smallest",
                                             "in range", "pass", "hang",
                                             "wrong", "release"}));
}

/// The heap was damaged before, by what crashes every time.
TEST(JoinRows, ACrashThatDoesNotRepeatIsOfTheOneThatDoes) {
  const auto crash = [](Opcode opcode, const char *id, const char *pass,
                        bool isRepeated) {
    Bug bug = failure(Kind::crash, lane(opcode, 0), id, pass);
    bug.detail = "SIGSEGV in somewhere";
    if (!isRepeated)
      bug.detail += runner::notAgain;
    return bug;
  };
  std::vector<Bug> bugs = {
      crash(Opcode::add, "once", "scalarizer", false),
      crash(Opcode::sub, "always", "scalarizer", true),
      crash(Opcode::add, "elsewhere", "gvn", false),
      crash(Opcode::sub, "neither", "gvn", false),
      crash(Opcode::mul, "of two", "licm", false),
      crash(Opcode::add, "first", "licm", true),
      crash(Opcode::sub, "second", "licm", true),
  };
  joinRows(bugs);
  std::vector<std::string> roots;
  roots.reserve(bugs.size());
  for (const Bug &bug : bugs)
    roots.push_back(bug.root);
  EXPECT_EQ(roots, (std::vector<std::string>{"always", "always", "elsewhere",
                                             "elsewhere", "of two", "first",
                                             "second"}));
}

TEST(JoinRows, FlagsAndConstantsAreNeeded) {
  const auto shifted = [](corpus::Flags flags, std::uint64_t by) {
    Program program;
    program.signature.returnType = i2;
    const Operand a = program.addParameter(i2);
    program.append(Opcode::ret, Type(),
                   {program.append(Opcode::shl, i2,
                                   {a, Operand::constant(i2, by)}, flags)});
    return program;
  };
  std::vector<Bug> bugs = {
      failure(Kind::crash, shifted(corpus::flag::nsw, 1), "a"),
      failure(Kind::crash, shifted({}, 1), "b"),
      failure(Kind::crash, shifted(corpus::flag::nsw, 0), "c"),
      failure(Kind::crash, shifted(corpus::flag::nsw | corpus::flag::nuw, 1),
              "d")};
  joinRows(bugs);
  EXPECT_EQ(bugs[0].root, "b") << "which has no flag";
  EXPECT_EQ(bugs[1].root, "b");
  EXPECT_EQ(bugs[2].root, "c") << "by 0, not by 1";
  EXPECT_EQ(bugs[3].root, "b");
}

TEST(JoinRows, AKnownBugIsOneRow) {
  const std::vector<std::string> roots = rootsOfKnown("m209935");
  ASSERT_EQ(roots.size(), 3);
  EXPECT_TRUE(rootsOfKnown("m0").empty());
  std::vector<Bug> bugs;
  const auto add = [&](const std::string &root, const char *known) {
    // Of another function each, or they would be one for that.
    constexpr Opcode others[] = {Opcode::add, Opcode::sub, Opcode::mul,
                                 Opcode::xor_, Opcode::and_};
    bugs.push_back(failure(Kind::value, lane(others[bugs.size()], 0),
                           root.c_str(), "gvn"));
    bugs.back().target = lane(std::nullopt, 0);
    if (known != nullptr)
      bugs.back().known = Known{known, {}, ""};
  };
  add(roots[0], "m209935");
  add(roots[1], "m209935");
  add(roots[1], nullptr);
  add("split off", "m209935");
  add(roots[2], nullptr);
  joinRows(bugs);
  EXPECT_EQ(bugs[1].root, roots[0]);
  EXPECT_EQ(bugs[2].root, roots[0]) << "it stays in its row";
  EXPECT_EQ(bugs[3].root, "split off") << "by its releases";
  EXPECT_EQ(bugs[4].root, roots[2]) << "nothing says that it is that bug";
}

TEST(JoinRows, TwoKnownBugsAreTwoRows) {
  const std::vector<std::string> signatures = signaturesOfKnown("x73");
  ASSERT_FALSE(signatures.empty());
  const auto rootsOf = [](std::vector<std::string> issues,
                          std::vector<std::string> otherIssues) {
    constexpr Opcode others[] = {Opcode::add, Opcode::sub, Opcode::mul,
                                 Opcode::xor_};
    std::vector<Bug> bugs;
    bugs.reserve(std::size(others));
    for (const char *title : {"gives nuw", "keeps nuw", "keeps nuw", "else"}) {
      const Opcode opcode = others[bugs.size()];
      bugs.push_back(failure(Kind::value, lane(opcode, 0), "row", "indvars"));
      bugs.back().target = lane(std::nullopt, 0);
      bugs.back().title = title;
    }
    bugs[0].known = Known{"m175729", std::move(issues), ""};
    bugs[1].known = Known{"x73", std::move(otherIssues), ""};
    joinRows(bugs);
    std::vector<std::string> roots;
    roots.reserve(bugs.size());
    for (const Bug &bug : bugs)
      roots.push_back(bug.root);
    joinRows(bugs);
    for (const Bug &bug : bugs)
      EXPECT_EQ(bug.root, roots[&bug - bugs.data()]) << "the second time";
    return roots;
  };
  using Roots = std::vector<std::string>;
  EXPECT_EQ(rootsOf({"175729"}, {}),
            (Roots{"row", signatures[0], signatures[0], "row"}));
  EXPECT_EQ(rootsOf({"175729"}, {"175729"}),
            (Roots{"row", "row", "row", "row"}));
}

TEST(JoinRows, OneKinIsOneRowUnlessSomethingTellsThemApart) {
  const auto wrong = [](const char *root, const char *kin,
                        std::vector<unsigned> wrongIn,
                        std::vector<unsigned> rightIn, std::uint64_t index) {
    // Of another function each, or they would be one for that.
    constexpr Opcode others[] = {Opcode::add, Opcode::sub, Opcode::mul,
                                 Opcode::xor_};
    Bug bug =
        failure(Kind::value, lane(others[index % 4], index / 4), root, "gvn");
    bug.target = lane(std::nullopt, index / 4);
    bug.kin = kin;
    bug.window.wrong = std::move(wrongIn);
    bug.window.right = std::move(rightIn);
    return bug;
  };
  std::vector<Bug> bugs = {
      wrong("b", "value add/sub", {14, 16}, {22}, 0),
      wrong("a", "value add/sub", {14}, {}, 1),
      wrong("c", "value add/sub", {22}, {14}, 2),
      wrong("d", "value add/sub", {}, {}, 3),
      wrong("e", "", {14}, {}, 4),
      wrong("f", "flow value", {14}, {}, 5),
      wrong("g", "flow value", {14}, {}, 6),
      wrong("h", "flow value", {14}, {}, 7),
  };
  bugs[6].known = Known{"m1", {}, ""};
  std::vector<Bug> two = bugs;
  two[7].known = Known{"m2", {}, ""};
  std::vector<Bug> otherPass = bugs;
  otherPass[1].pass = "newgvn";
  const auto rootsOf = [](std::vector<Bug> &all) {
    joinRows(all);
    std::string roots;
    for (const Bug &bug : all)
      roots += bug.root;
    return roots;
  };
  // c is right where b is wrong and the other way round, d has no window, and
  // of f, g and h the known one stays.
  EXPECT_EQ(rootsOf(bugs), "aacdeggg");
  EXPECT_EQ(rootsOf(bugs), "aacdeggg") << "again";
  EXPECT_EQ(rootsOf(two), "aacdefgh");
  EXPECT_EQ(rootsOf(otherPass), "bacdeggg");
}

TEST(JoinRows, WhatSeveralPassesMakeOfAFunctionIsShared) {
  const auto wrong = [](const char *pass, std::uint64_t after) {
    Bug bug = failure(Kind::value, lane(std::nullopt, 1), pass, pass);
    bug.target = lane(std::nullopt, after);
    return bug;
  };
  std::vector<Bug> bugs = {wrong("gvn", 0), wrong("instcombine", 0),
                           wrong("sccp", 2), wrong("early-cse", 0)};
  joinRows(bugs);
  EXPECT_EQ(bugs[0].root, "early-cse");
  EXPECT_EQ(bugs[1].root, "early-cse");
  EXPECT_EQ(bugs[2].root, "sccp") << "makes something else of it";
  EXPECT_EQ(bugs[3].root, "early-cse");
}

} // namespace
} // namespace reports
