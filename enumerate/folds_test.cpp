// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/folds.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "enumerate/edits.h"
#include "enumerate/lack.h"
#include "enumerate/parsed_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

using ::testing::HasSubstr;

namespace enumerate {
namespace {

FoldSpec specOf(const FoldSet &set, unsigned width) {
  const bool hasMemory = (set.features & foldFeature::memory) != 0;
  return {corpus::Type::integer(hasMemory ? 8 : width), 1, &set};
}

std::vector<std::pair<unsigned, const FoldSet *>> ofEachWidthAndSet() {
  std::vector<std::pair<unsigned, const FoldSet *>> result;
  for (const unsigned width : {4U, 6U, 8U, 64U})
    for (const FoldSet &set : foldSets())
      result.emplace_back(width, &set);
  return result;
}

TEST(Folds, eachOnceAndOfEveryWidth) {
  for (const auto &[width, set] : ofEachWidthAndSet()) {
    std::set<std::string> seen;
    const auto folds = makeFolds(specOf(*set, width));
    ASSERT_FALSE(folds.empty());
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
  for (const FoldList &list : foldLists())
    for (const FoldInfo &fold : list.folds)
      EXPECT_FALSE(fold.help.empty()) << fold.text;
}

class FoldsOf : public testing::TestWithParam<std::size_t> {};

TEST_P(FoldsOf, everythingNearIsOneEditAwayAndNotLarger) {
  const FoldSpec spec = specOf(foldSets()[GetParam()], 4);
  const auto near = makeFoldSpace(spec);
  for (const Rank rank : sampleRanks(near->count(), 20'000, 1))
    ASSERT_EQ(corpus::verify(near->at(rank)), std::nullopt)
        << near->nameOf(rank);
  const auto folds = makeFolds(spec);
  ASSERT_EQ(near->leading(), folds.size());
  Rank rank = folds.size();
  for (std::size_t member = 0; member < folds.size(); ++member) {
    const auto &[text, fold] = folds[member];
    const Edits edits(fold, Edits::Kinds::few);
    EXPECT_EQ(near->at(member), fold) << text;
    for (std::uint64_t i = 0; i < edits.count(); i += 50) {
      EXPECT_EQ(near->at(rank + i), edits.apply(i));
      EXPECT_LE(near->at(rank + i).instructions.size(),
                fold.instructions.size());
    }
    rank += edits.count();
  }
  EXPECT_EQ(rank, near->count());
}

INSTANTIATE_TEST_SUITE_P(Sets, FoldsOf,
                         testing::Range<std::size_t>(0, foldSets().size()),
                         [](const auto &info) {
                           std::string word(foldSets()[info.param].word);
                           std::replace(word.begin(), word.end(), '-', '_');
                           return word.empty() ? "instcombine" : word;
                         });

TEST(Folds, eachIsInOneSet) {
  for (const FoldList &list : foldLists()) {
    std::size_t folds = 0;
    for (const FoldSet &set : foldSets())
      folds += foldsOf(set, list).size();
    EXPECT_EQ(folds, list.folds.size()) << list.passes;
  }
}

TEST(Folds, twoEditsAreEditsOfEdits) {
  const auto once = space("folds:i4");
  const auto twice = space("folds:i4:edits=2");
  ASSERT_EQ(twice->leading(), once->count());
  Rank rank = once->count();
  for (std::uint64_t member = 0; member < 200; ++member) {
    const Edits edits(once->at(member), Edits::Kinds::few);
    ASSERT_EQ(twice->at(member), once->at(member));
    for (std::uint64_t i = 0; i < edits.count(); i += 20)
      ASSERT_EQ(twice->at(rank + i), edits.apply(i));
    rank += edits.count();
  }
}

TEST(Folds, specsAreCanonicalAndOfEveryRelease) {
  for (const std::string spec :
       {"folds:i4", "folds:i8", "folds:v2i4", "folds:i4:edits=2",
        "folds:i6:branches", "folds:i4:loops:edits=2"}) {
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
        "folds:i4:", "folds:i4:memory", "folds:i16:memory",
        "folds:v2i4:branches", "folds:i4:branch", "folds:i4x"}) {
    const auto space = parseSpace(spec);
    ASSERT_FALSE(space) << spec;
    EXPECT_THAT(space.error().message, HasSubstr("folds:i<W>[:SET][:edits=2]"));
    EXPECT_THAT(space.error().message, HasSubstr(spec));
  }
}

} // namespace
} // namespace enumerate
