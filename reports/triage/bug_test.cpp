// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What triage found out about a bug, as text and through JSON.
#include "reports/triage/bug.h"

#include "reports/render/formats.h"
#include "reports/render/json.h"
#include "reports/triage/rule.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace reports {
namespace {

using Releases = std::vector<unsigned>;

std::string windowText(Releases wrong, Releases right, Releases not_ = {},
                       Releases undecided = {}, Releases otherwise = {}) {
  Bug bug;
  bug.window = {std::move(wrong), std::move(right), std::move(not_),
                std::move(undecided), std::move(otherwise)};
  return reports::windowText(bug);
}

std::vector<unsigned> widths(unsigned first, unsigned last) {
  std::vector<unsigned> result(last - first + 1);
  std::iota(result.begin(), result.end(), first);
  return result;
}

TEST(WindowText, SaysBetweenWhichReleasesABugCameAndWent) {
  EXPECT_EQ(windowText({13, 14, 15, 16}, {19, 22}),
            "wrong since <= 13, fixed in (16, 19]");
  EXPECT_EQ(windowText({19}, {13, 14, 15, 16, 22}),
            "wrong since (16, 19], fixed in (19, 22]");
  EXPECT_EQ(windowText({15, 16, 19, 22}, {13, 14}),
            "wrong since (14, 15], not fixed in 22");
  EXPECT_EQ(windowText({14, 22}, {13, 15, 16, 19}),
            "wrong since (13, 14], fixed in (14, 15], wrong since (19, 22], "
            "not fixed in 22");
}

TEST(WindowText, KeepsCannotExpressApart) {
  EXPECT_EQ(windowText({14, 15, 16, 19, 22}, {}, {13}),
            "wrong since <= 14, not fixed in 22; 13 cannot express it");
  EXPECT_EQ(windowText({19}, {}, {13}, {16, 22}),
            "wrong since <= 19, not fixed in 19; 13 cannot express it; "
            "not decided for 16, 22");
  EXPECT_EQ(windowText({22}, {}, {}, {}, {16, 19}),
            "wrong since <= 22, not fixed in 22; "
            "16, 19 fail at it in another way");
  EXPECT_EQ(windowText({}, {13, 14}), "right in 13, 14");
  EXPECT_EQ(windowText({}, {}), "");
}

TEST(WidthsText, JoinsNeighbours) {
  Bug bug;
  bug.widths = {widths(8, 64), {1, 2, 4}, {3}};
  EXPECT_EQ(widthsText(bug),
            "wrong for i8-i64; right for i1-i2, i4; not known for i3");
}

/// x + 1, so often: flags that the target has and the source has not.
Bug increments(unsigned times) {
  using corpus::Opcode;
  using corpus::Operand;
  const corpus::Type i4 = corpus::Type::integer(4);
  Bug bug;
  Operand x = bug.source.addParameter(i4);
  bug.source.signature.returnType = i4;
  for (unsigned i = 0; i < times; ++i)
    x = bug.source.append(Opcode::add, i4, {x, Operand::constant(i4, 1)});
  bug.source.append(Opcode::ret, corpus::Type(), {x});
  bug.target = bug.source;
  bug.target->instructions[0].flags = corpus::flag::nsw;
  bug.checkedUnder = "llvm";
  return bug;
}

TEST(RuleText, IsOfUpToFourInstructions) {
  EXPECT_NE(ruleText(increments(1)).find("add nsw %a0, C1"), std::string::npos)
      << ruleText(increments(1));
  EXPECT_NE(ruleText(increments(4)), "");
  EXPECT_EQ(ruleText(increments(5)), "");
}

TEST(RuleText, IsLeftOutWhereAReportIsUrgent) {
  Report report;
  report.bugs.push_back(increments(1));
  const auto says = [&](std::string_view text) {
    const auto format =
        std::find_if(formats().begin(), formats().end(),
                     [](const Format &each) { return each.name == "md"; });
    const std::vector<File> files = format->render(report);
    return std::any_of(files.begin(), files.end(), [&](const File &file) {
      return file.text.find(text) != std::string::npos;
    });
  };
  EXPECT_TRUE(says("## As a rule"));
  report.isUrgent = [] { return true; };
  EXPECT_FALSE(says("## As a rule"));
  EXPECT_TRUE(says("## To reproduce"));
}

TEST(LanesText, ScalarsAreNoVector) {
  Bug bug;
  bug.lanes = {{2, 3, 4}, {0, 1}, {}};
  EXPECT_EQ(lanesText(bug),
            "wrong for 2-4 lanes; right for scalars and 1 lane");
  bug.lanes = {{8}, {}, {0}};
  EXPECT_EQ(lanesText(bug), "wrong for 8 lanes; not known for scalars");
}

Bug form(std::string id, std::string root, unsigned functions,
         bool known = false) {
  Bug bug;
  bug.id = std::move(id);
  bug.root = std::move(root);
  bug.functions = functions;
  bug.releases = {functions};
  bug.shownBy = {{}};
  if (known)
    bug.known = Known{"kb01", {}, ""};
  return bug;
}

TEST(RowsOf, PutsTheFormsOfARootTogetherAndKnownOnesLast) {
  std::vector<Bug> bugs = {form("a", "q", 1, true), form("b", "r", 2),
                           form("c", "q", 3), form("d", "r", 4),
                           form("e", "s", 5)};
  sortForReaders(bugs);
  const std::vector<Row> rows = rowsOf(bugs);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(countText(rows), "3 bugs in 5 forms");
  EXPECT_EQ(rows[0].bug.id, "b");
  EXPECT_EQ(rows[0].bug.functions, 6U);
  EXPECT_EQ(rows[0].bug.releases, (Releases{2, 4}));
  EXPECT_TRUE(rows[0].bug.functionsExact);
  EXPECT_EQ(rows[1].bug.id, "e");
  EXPECT_EQ(rows[2].bug.id, "a") << "one known form makes a row known";
  EXPECT_EQ(rows[2].forms.size(), 2U);
  EXPECT_EQ(countText(std::span(rows).subspan(1, 1)), "1 bug");
}

/// A list that an older program wrote has no rows: each bug is one.
TEST(Json, ABugWithoutARootIsARow) {
  Bug bug = form("a", "q", 1);
  bug.source.append(corpus::Opcode::ret, corpus::Type(),
                    std::initializer_list<corpus::Operand>{});
  bug.kind = checker::Kind::crash;
  nlohmann::json json = toJson(bug);
  json.erase("root");
  json.erase("title");
  const auto read = bugFromJson(json.dump());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->root, "a");
  EXPECT_EQ(headline(*read), "the optimizer crashes");
}

TEST(FlagsText, SeparatesWhatItNeedsFromWhatWouldCureIt) {
  Bug bug;
  bug.flags = {{"nsw", "%v0", SourceFlag::Role::needed},
               {"nuw", "%v1", SourceFlag::Role::needed},
               {"nuw", "%v0", SourceFlag::Role::cure},
               {"exact", "%v2", SourceFlag::Role::cure}};
  EXPECT_EQ(flagsText(bug), "needs nsw of %v0 and nuw of %v1; would be right "
                            "with nuw of %v0 or exact of %v2");
}

corpus::Program product(corpus::Flags flags) {
  const corpus::Type i4 = corpus::Type::integer(4);
  corpus::Program program;
  program.signature.returnType = i4;
  const corpus::Operand a = program.addParameter(i4);
  const corpus::Operand b = program.addParameter(i4);
  const corpus::Operand result =
      program.append(corpus::Opcode::mul, i4, {a, b}, flags);
  program.append(corpus::Opcode::ret, corpus::Type(), {result});
  return program;
}

TEST(Bug, SurvivesJson) {
  Bug bug;
  bug.id = "0123456789ab";
  bug.pass = "pass";
  bug.source = product({});
  bug.target = product(corpus::flag::nsw);
  bug.release = 14;
  bug.checkedUnder = "llvm";
  bug.verdict = explain(bug);
  const auto roundTrip = [&] {
    const std::string text = toJson(bug).dump();
    const auto again = bugFromJson(text);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(toJson(*again).dump(), text);
  };
  roundTrip();
  for (const char *key :
       {"window", "widths", "lanes", "repair", "known", "instance"})
    EXPECT_TRUE(toJson(bug).at(key).is_null()) << key;

  bug.window = {{13, 14}, {16}, {22}, {15}, {19}};
  bug.widths = {{1, 4}, {2}, {3}};
  bug.lanes = {{2, 4}, {0}, {8}};
  bug.repair = Repair{"drop nsw of %v0", product({})};
  bug.flags = {{"nuw", "%v0", SourceFlag::Role::cure}};
  bug.known = Known{"kb19", {"llvm/llvm-project#59301"}, ""};
  bug.instance = PassInstance{17, "simplifycfg"};
  roundTrip();
  for (const char *key :
       {"window", "widths", "lanes", "repair", "known", "instance"})
    EXPECT_FALSE(toJson(bug).at(key).is_null()) << key;
  EXPECT_EQ(knownText(bug), "kb19 (llvm/llvm-project#59301)");
  EXPECT_EQ(instanceText(bug), "pass 17 (simplifycfg)");
}

} // namespace
} // namespace reports
