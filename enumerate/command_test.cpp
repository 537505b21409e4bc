// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/command.h"

#include "enumerate/space.h"

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using corpus::ExitCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace enumerate {
namespace {

/// Answers for every path with the same functions.
class FakeReader final : public corpus::ProgramReader {
public:
  corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path, corpus::Reading) override {
    if (path == "missing.ll")
      return corpus::Error{"missing.ll: no such file"};
    return functions;
  }
  std::vector<corpus::ReadFunction> functions;
};

struct Outcome {
  ExitCode code = ExitCode::incomplete;
  std::string out;
  std::string err;
};

class Commands : public ::testing::Test {
protected:
  Outcome run(std::vector<std::string> words) {
    Outcome outcome;
    CLI::App app;
    const auto estimate = [](const TimeQuestion &question) {
      return corpus::Result<std::string>(fmt::format(
          "{} {} {}\n", question.space, fmt::join(question.passes, "+"),
          fmt::join(question.optimizers, "+")));
    };
    addSpaceCommand(app, reader_, estimate, outcome.code);
    addEnumerateCommand(app, reader_, outcome.code);
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    std::reverse(words.begin(), words.end());
    try {
      app.parse(words);
    } catch (const CLI::ParseError &error) {
      outcome.code = static_cast<ExitCode>(app.exit(error) == 0 ? 0 : 2);
    }
    std::fflush(stdout);
    outcome.out = ::testing::internal::GetCapturedStdout();
    outcome.err = ::testing::internal::GetCapturedStderr();
    return outcome;
  }

  FakeReader reader_;
};

TEST_F(Commands, spaceCounts) {
  const Outcome outcome = run({"space", "i2x1"});
  EXPECT_EQ(outcome.code, ExitCode::nothingWrong);
  EXPECT_THAT(outcome.out, HasSubstr("i2x1: 488 functions\n"));
  // In i2x1 a function has one instruction: 4 adds of 10 pairs of leaves each.
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("add +40 "));
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("select +75 "));
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("freeze +2 "));
  // Three arguments: one select of either type.
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("\n0 +0 "));
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("\n3 +2 "));
  EXPECT_THAT(outcome.out, HasSubstr("LLVM 13 takes all of it\n"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Commands, spaceSaysWhatAReleaseLacks) {
  const Outcome outcome = run({"space", "i2x1:modern,cmp"});
  EXPECT_THAT(outcome.out, HasSubstr("LLVM 16 has no"));
  EXPECT_THAT(outcome.out, HasSubstr("LLVM 19 has no `icmp samesign`; take "
                                     "vocabulary core\n"));
  EXPECT_THAT(outcome.out, HasSubstr("LLVM 22 takes all of it\n"));
}

TEST_F(Commands, badInputIsOneLineAndNothingElse) {
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"space", "i2x1:foo"},
        {"enumerate", "i2x1:foo"},
        {"enumerate", "i2x1", "--rank", "488"},
        {"enumerate", "i2x1", "--rank", "-1"},
        {"enumerate", "i2x1", "--rank", "12a"},
        {"enumerate", "i2x1", "--range", "7"},
        {"enumerate", "i2x1", "--range", "7:6"},
        {"enumerate", "i2x1", "--range", "0:489"},
        {"enumerate", "i2x1", "--range", "a:b"},
        {"enumerate", "i2x1", "--rank-of", "missing.ll"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, ExitCode::badInput) << words.back();
    EXPECT_THAT(outcome.out, IsEmpty()) << words.back();
    EXPECT_THAT(outcome.err, HasSubstr("irsieve: ")) << words.back();
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1)
        << outcome.err;
  }
  EXPECT_EQ(run({"enumerate", "i2x1", "--rank", "1", "--range", "0:2"}).code,
            ExitCode::badInput);
  for (const std::vector<std::string> &alone :
       {std::vector<std::string>{"--seed", "1"},
        {"--order", "uniform"},
        {"--first", "3"},
        {"--order", "random", "--first", "3"},
        {"--order", "uniform", "--first", "3", "--range", "0:2"}}) {
    std::vector<std::string> words = {"enumerate", "i2x1"};
    words.insert(words.end(), alone.begin(), alone.end());
    EXPECT_EQ(run(words).code, ExitCode::badInput) << alone.front();
  }
}

TEST_F(Commands, enumeratePrintsNamedFunctions) {
  const Outcome outcome = run({"enumerate", "i2x1:minmax", "--rank", "0"});
  EXPECT_EQ(outcome.code, ExitCode::nothingWrong);
  EXPECT_EQ(outcome.out, "; i2x1:minmax#0\n"
                         "define i2 @f0(i2 %a) {\n"
                         "  %v0 = add i2 0, %a\n"
                         "  ret i2 %v0\n"
                         "}\n\n");
}

TEST_F(Commands, aDeclarationStandsOnce) {
  const Outcome outcome = run({"enumerate", "i2x1:minmax"});
  const std::string declaration = "declare i2 @llvm.smin.i2(i2, i2)\n";
  const std::size_t first = outcome.out.find(declaration);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(outcome.out.find(declaration, first + 1), std::string::npos);
  EXPECT_LT(first, outcome.out.find("call i2 @llvm.smin.i2"));
}

TEST_F(Commands, rangesAndSamplesAndCounts) {
  const auto functions = [](const Outcome &outcome) {
    std::size_t found = 0;
    for (std::size_t at = 0;
         (at = outcome.out.find("define", at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  EXPECT_EQ(functions(run({"enumerate", "i2x1"})), 488U);
  EXPECT_EQ(functions(run({"enumerate", "i2x1", "--range", "480:488"})), 8U);
  EXPECT_EQ(functions(run({"enumerate", "i2x1", "--range", "3:3"})), 0U);
  const Outcome sample =
      run({"enumerate", "i2x3", "--sample", "7", "--seed", "1"});
  EXPECT_EQ(functions(sample), 7U);
  EXPECT_NE(sample.out,
            run({"enumerate", "i2x3", "--sample", "7", "--seed", "2"}).out);
  EXPECT_EQ(functions(run(
                {"enumerate", "i4x3", "--order", "strata", "--first", "9"})),
            9U);
  EXPECT_EQ(run({"enumerate", "i2x1", "--order", "uniform", "--first", "600",
                 "--count"})
                .out,
            "488\n");
  EXPECT_EQ(run({"enumerate", "i2x3", "--count"}).out, "126284145\n");
  EXPECT_EQ(run({"enumerate", "i2x3", "--range", "5:9", "--count"}).out, "4\n");
  EXPECT_EQ(run({"enumerate", "i2x1", "--sample", "600", "--count"}).out,
            "488\n");
}

TEST_F(Commands, ranksOfAFile) {
  const auto space = parseSpace("i2x2");
  reader_.functions = {{"first", (*space)->at(1234)},
                       {"second", (*space)->at(7)}};
  const Outcome outcome = run({"enumerate", "i2x2", "--rank-of", "x.ll"});
  EXPECT_EQ(outcome.code, ExitCode::nothingWrong);
  EXPECT_EQ(outcome.out, "@first 1234\n@second 7\n");
}

TEST_F(Commands, ranksOfOutsidersAreRefusedWithAReason) {
  const auto messageFor = [&](corpus::ReadFunction function) {
    reader_.functions = {std::move(function)};
    const Outcome outcome = run({"enumerate", "i2x2", "--rank-of", "x.ll"});
    EXPECT_EQ(outcome.code, ExitCode::badInput);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("x.ll: @f is not in i2x2: "));
    return outcome.err;
  };
  EXPECT_THAT(messageFor({"f", corpus::Unsupported{"it loads"}}),
              HasSubstr("it loads"));
  EXPECT_THAT(messageFor({"f", (*parseSpace("i2x1"))->at(0)}),
              HasSubstr("`ret i2 %v0`"));
  corpus::Program swapped = (*parseSpace("i2x2"))->at(100'000);
  for (corpus::Operand &operand : swapped.operands)
    if (operand.is(corpus::Operand::Kind::argument))
      ++operand.payload;
  swapped.signature.parameters.insert(swapped.signature.parameters.begin(),
                                      {corpus::Type::integer(2), {}});
  EXPECT_THAT(messageFor({"f", swapped}), HasSubstr("i2x2#100000"));
}

TEST_F(Commands, helpHasAnExample) {
  for (const char *command : {"space", "enumerate"}) {
    const Outcome outcome = run({command, "--help"});
    EXPECT_EQ(outcome.code, ExitCode::nothingWrong);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr(std::string("irsieve ") + command),
                      HasSubstr("consts="), Not(HasSubstr("unknown"))));
  }
}

} // namespace
} // namespace enumerate
