// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/folds.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "enumerate/edits.h"
#include "enumerate/lack.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

using ::testing::HasSubstr;

namespace enumerate {
namespace {

std::unique_ptr<Space> space(std::string_view spec) {
  auto result = parseSpace(spec);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? std::move(*result) : nullptr;
}

/// The functions themselves.
std::vector<corpus::Program> folds(std::string_view spec) {
  const auto near = space(spec);
  std::vector<corpus::Program> functions;
  for (Rank rank = 0; rank < near->count();) {
    functions.push_back(near->at(rank));
    rank += 1 + Edits(functions.back(), Edits::Kinds::few).count();
  }
  return functions;
}

TEST(Folds, eachOnceAndOfEveryWidth) {
  for (const unsigned width : {4U, 6U, 8U, 64U}) {
    std::set<std::string> seen;
    const auto functions = folds(fmt::format("folds:i{}", width));
    ASSERT_EQ(functions.size(), foldTable().size());
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const std::string_view text = foldTable()[i].text;
      EXPECT_EQ(corpus::verify(functions[i]), std::nullopt) << text;
      EXPECT_EQ(numberByDecision(functions[i]), functions[i]) << text;
      EXPECT_TRUE(seen.insert(corpus::printFunction(functions[i])).second ||
                  width != FoldSpec::minimumWidth)
          << text;
      EXPECT_FALSE(foldTable()[i].help.empty()) << text;
    }
  }
}

TEST(Folds, everythingNearIsOneEditAwayAndNotLarger) {
  const auto near = space("folds:i4");
  for (const Rank rank : sampleRanks(near->count(), 20'000, 1))
    ASSERT_EQ(corpus::verify(near->at(rank)), std::nullopt)
        << near->nameOf(rank);
  Rank rank = 0;
  for (const corpus::Program &fold : folds("folds:i4")) {
    const Edits edits(fold, Edits::Kinds::few);
    for (std::uint64_t i = 0; i < edits.count(); i += 50) {
      EXPECT_EQ(near->at(rank + 1 + i), edits.apply(i));
      EXPECT_LE(near->at(rank + 1 + i).instructions.size(),
                fold.instructions.size());
    }
    rank += 1 + edits.count();
  }
  EXPECT_EQ(rank, near->count());
}

TEST(Folds, twoEditsAreEditsOfEdits) {
  const auto once = space("folds:i4");
  const auto twice = space("folds:i4:edits=2");
  Rank rank = 0;
  for (std::uint64_t member = 0; member < 200; ++member) {
    const Edits edits(once->at(member), Edits::Kinds::few);
    ASSERT_EQ(twice->at(rank), once->at(member));
    for (std::uint64_t i = 0; i < edits.count(); i += 20)
      ASSERT_EQ(twice->at(rank + 1 + i), edits.apply(i));
    rank += 1 + edits.count();
  }
}

TEST(Folds, specsAreCanonicalAndOfEveryRelease) {
  for (const std::string spec :
       {"folds:i4", "folds:i8", "folds:v2i4", "folds:i4:edits=2"}) {
    EXPECT_EQ(space(spec)->spec(), spec);
    for (const unsigned release : knownReleases)
      EXPECT_EQ(lackOf(spec, release), std::nullopt);
  }
  EXPECT_EQ(space("folds:i4:edits=1")->spec(), "folds:i4");
}

TEST(Folds, badInputIsNamed) {
  for (const char *spec :
       {"folds:", "folds:i", "folds:i2", "folds:i5", "folds:i66", "folds:v2",
        "folds:v0i4", "folds:v5i4", "folds:i4:edits=3", "folds:i4:args=2",
        "folds:i4x"}) {
    const auto space = parseSpace(spec);
    ASSERT_FALSE(space) << spec;
    EXPECT_THAT(space.error().message, HasSubstr("folds:i<W>[:edits=2]"));
    EXPECT_THAT(space.error().message, HasSubstr(spec));
  }
}

} // namespace
} // namespace enumerate
