// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/file_space.h"

#include "corpus/program/print.h"
#include "enumerate/edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using corpus::Program;
using ::testing::HasSubstr;

namespace enumerate {
namespace {

class FakeReader final : public corpus::ProgramReader {
public:
  corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path, corpus::Reading) override {
    if (path != "x.ll")
      return corpus::Error{path + ": no such file"};
    return functions;
  }
  std::vector<corpus::ReadFunction> functions;
};

class FileSpace : public ::testing::Test {
protected:
  FileSpace() {
    const auto source = parseSpace("i1x2");
    for (corpus::Rank rank : {100, 90'000})
      reader_.functions.push_back(
          {"f" + corpus::toString(rank), (*source)->at(rank)});
  }
  const Program &base(std::size_t i) const {
    return std::get<Program>(reader_.functions[i].body);
  }
  std::unique_ptr<Space> open(std::string_view spec) {
    auto space = openSpace(spec, reader_);
    EXPECT_TRUE(space) << (space ? "" : space.error().message);
    return space ? std::move(*space) : nullptr;
  }
  std::string messageOf(std::string_view spec) {
    const auto space = openSpace(spec, reader_);
    EXPECT_FALSE(space) << spec;
    return space ? "" : space.error().message;
  }

  FakeReader reader_;
};

TEST_F(FileSpace, aCorpusIsTheFile) {
  const auto space = open("corpus:x.ll");
  EXPECT_EQ(space->count(), 2U);
  EXPECT_EQ(space->at(1), base(1));
  EXPECT_EQ(space->nameOf(0), "x.ll: @f100");
  EXPECT_EQ(space->spec(), "corpus:x.ll");
}

TEST_F(FileSpace, nearIsEveryEditOnce) {
  const auto space = open("near:x.ll");
  EXPECT_EQ(space->at(0), base(0));
  EXPECT_EQ(space->at(1), base(1));
  std::set<std::string> expected;
  for (std::size_t b : {0, 1}) {
    expected.insert(corpus::printFunction(base(b)));
    const Edits edits(base(b));
    for (std::uint64_t i = 0; i < edits.count(); ++i)
      expected.insert(corpus::printFunction(edits.apply(i)));
  }
  std::set<std::string> members;
  for (auto cursor = space->from(0); !cursor->atEnd(); cursor->next()) {
    EXPECT_TRUE(
        members.insert(corpus::printFunction(cursor->program())).second);
    EXPECT_EQ(space->rank(cursor->program()), cursor->rank());
  }
  EXPECT_EQ(members.size(), space->count());
  EXPECT_EQ(members, expected);
  EXPECT_EQ(space->rank((*parseSpace("i2x1"))->at(0)), std::nullopt);
}

TEST_F(FileSpace, twoEditsAreEditsOfEdits) {
  reader_.functions = {{"f", (*parseSpace("i1x1"))->at(0)}};
  const auto once = open("near:x.ll");
  const auto twice = open("near:x.ll:edits=2");
  EXPECT_EQ(twice->spec(), "near:x.ll:edits=2");
  std::uint64_t expected = once->count();
  for (auto cursor = once->from(0); !cursor->atEnd(); cursor->next())
    expected += Edits(cursor->program()).count();
  EXPECT_EQ(twice->count(), expected);
  for (corpus::Rank rank : sampleRanks(twice->count(), 20, 1)) {
    const Program program = twice->at(rank);
    EXPECT_EQ(corpus::verify(program), std::nullopt);
    const auto lowest = twice->rank(program);
    ASSERT_TRUE(lowest);
    EXPECT_LE(*lowest, rank);
    EXPECT_EQ(twice->at(*lowest), program);
  }
  const auto cursor = twice->from(1000);
  cursor->next();
  EXPECT_EQ(cursor->program(), twice->at(1001));
}

TEST_F(FileSpace, otherSpecsAreParsed) {
  EXPECT_EQ(open("i2x1")->count(), 488U);
}

TEST_F(FileSpace, badInputIsNamed) {
  EXPECT_THAT(messageOf("corpus:y.ll"), HasSubstr("y.ll: no such file"));
  EXPECT_THAT(messageOf("near:x.ll:edits=3"), HasSubstr("1 or 2"));
  EXPECT_THAT(messageOf("i2y1"), HasSubstr("i<W>x<N>"));
  reader_.functions.push_back({"g", corpus::Unsupported{"it loads"}});
  EXPECT_THAT(messageOf("near:x.ll"), HasSubstr("x.ll: @g is out of scope: it "
                                                "loads"));
  reader_.functions.clear();
  EXPECT_THAT(messageOf("corpus:x.ll"), HasSubstr("no functions"));
}

} // namespace
} // namespace enumerate
