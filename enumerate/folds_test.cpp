// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/folds.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "enumerate/edits.h"
#include "enumerate/lack.h"
#include "enumerate/parsed_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

using ::testing::HasSubstr;

namespace enumerate {
namespace {

TEST(Folds, eachOnceAndOfEveryWidth) {
  for (const unsigned width : {4U, 6U, 8U, 64U}) {
    std::set<std::string> seen;
    const auto folds = makeFolds(corpus::Type::integer(width));
    ASSERT_EQ(folds.size(), foldTable().size());
    for (const auto &[text, function] : folds) {
      EXPECT_EQ(corpus::verify(function), std::nullopt) << text;
      EXPECT_EQ(numberByDecision(function), function) << text;
      EXPECT_TRUE(seen.insert(corpus::printFunction(function)).second ||
                  width != FoldSpec::minimumWidth)
          << text;
    }
  }
}

TEST(Folds, eachSaysWhatIsDone) {
  for (const FoldInfo &fold : foldTable())
    EXPECT_FALSE(fold.help.empty()) << fold.text;
}

TEST(Folds, everythingNearIsOneEditAwayAndNotLarger) {
  const auto near = space("folds:i4");
  for (const Rank rank : sampleRanks(near->count(), 20'000, 1))
    ASSERT_EQ(corpus::verify(near->at(rank)), std::nullopt)
        << near->nameOf(rank);
  Rank rank = 0;
  for (const auto &[text, fold] : makeFolds(corpus::Type::integer(4))) {
    const Edits edits(fold, Edits::Kinds::few);
    EXPECT_EQ(near->at(rank), fold) << text;
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
