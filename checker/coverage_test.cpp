// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every opcode with every set of flags under every choice of a knob is decided
// by engines that agree, or stands by name in the list of what they lack.
#include "checker/coverage.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

namespace checker {
namespace {

class CoverageTest : public testing::Test {
protected:
  static void SetUpTestSuite() { coverage = measureCoverage(); }
  inline static Coverage coverage;
};

TEST_F(CoverageTest, NoCellIsEmptyWithoutAName) {
  std::set<const CoverageLack *> used;
  const auto nameOf = [&](char letter, const CoverageRow &row,
                          const CoverageColumn &column) {
    bool isNamed = false;
    for (const CoverageLack &lack : lackTable())
      if (lack.covers(letter, row, column)) {
        isNamed = true;
        used.insert(&lack);
      }
    return isNamed;
  };
  for (std::size_t i = 0; i < coverage.rows.size(); ++i) {
    const CoverageRow &row = coverage.rows[i];
    EXPECT_FALSE(row.probes().empty())
        << row.name() << " has no probe in checker/coverage.cpp";
    for (std::size_t j = 0; j < coverage.columns.size(); ++j) {
      const CoverageColumn &column = coverage.columns[j];
      const CoverageCell &cell = coverage.cells[i][j];
      EXPECT_TRUE(cell.agree) << row.name() << " under " << column.name();
      for (std::size_t engine = 0; engine < coverageEngines.size(); ++engine) {
        if (cell.decides[engine])
          continue;
        const char letter = coverageEngines[engine].letter;
        EXPECT_TRUE(nameOf(letter, row, column))
            << "engine " << letter << " does not decide " << row.name()
            << " under " << column.name()
            << ", and lackTable() does not say why";
      }
    }
  }
  for (const CoverageLack &lack : lackTable())
    EXPECT_TRUE(used.contains(&lack))
        << "nothing is lacking any more: " << lack.engine << " " << lack.opcode
        << " " << lack.choice;
}

TEST_F(CoverageTest, EveryFlagAndChoiceHasItsPlace) {
  const auto rows = [&](std::string_view name) {
    return std::count_if(
        coverage.rows.begin(), coverage.rows.end(),
        [&](const CoverageRow &row) { return row.name() == name; });
  };
  for (const char *name : {"add", "add nuw", "add nuw nsw", "or disjoint",
                           "icmp samesign", "zext nneg", "switch"})
    EXPECT_EQ(rows(name), 1) << name;
  std::size_t choices = 0;
  for (const Knob &knob : knobTable())
    choices += knob.choices.size() - 1;
  EXPECT_EQ(coverage.columns.size(), choices + 1);
}

TEST_F(CoverageTest, TheTextNamesEveryEngineRowAndColumn) {
  const std::string text = toText(coverage);
  for (const char *part :
       {"Z3", "shift_amount=masked", "add nuw nsw", "What they lack"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  for (const CoverageRow &row : coverage.rows)
    EXPECT_NE(text.find(fmt::format("\n{:<24}", row.name())), std::string::npos)
        << row.name();
  for (const CoverageColumn &column : coverage.columns)
    EXPECT_NE(text.find("  " + column.name() + "\n"), std::string::npos)
        << column.name();
  EXPECT_EQ(text.find('!', text.find('!') + 1), std::string::npos);
}

} // namespace
} // namespace checker
