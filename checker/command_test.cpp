// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/command.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <sstream>

namespace checker {
namespace {

using corpus::ExitCode;
using corpus::Opcode;
using corpus::Program;
using corpus::Type;
using testing::HasSubstr;

class FakeReader : public corpus::ProgramReader {
public:
  corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path) override {
    const auto found = files.find(path);
    if (found == files.end())
      return corpus::Error{path + ": no such file"};
    return found->second;
  }
  std::map<std::string, std::vector<corpus::ReadFunction>> files;
};

/// x + x, or x * 2, or x.
Program sample(Opcode opcode) {
  const Type i2 = Type::integer(2);
  Program program;
  const corpus::Operand x = program.addParameter(i2);
  program.signature.returnType = i2;
  const corpus::Operand value =
      opcode == Opcode::ret
          ? x
          : program.append(opcode, i2,
                           {x, opcode == Opcode::add
                                   ? x
                                   : corpus::Operand::constant(i2, 2)});
  program.append(Opcode::ret, Type(), {value});
  return program;
}

struct Answer {
  ExitCode code = ExitCode::nothingWrong;
  std::string out;
  std::string err;
};

Answer run(std::string arguments) {
  FakeReader reader;
  reader.files["pair.ll"] = {{"src", sample(Opcode::mul)},
                             {"tgt", sample(Opcode::add)},
                             {"src2", sample(Opcode::add)},
                             {"tgt2", sample(Opcode::ret)},
                             {"other", sample(Opcode::ret)}};
  reader.files["before.ll"] = {{"f", sample(Opcode::mul)},
                               {"g", corpus::Unsupported{"float"}}};
  reader.files["after.ll"] = {{"g", sample(Opcode::ret)},
                              {"f", sample(Opcode::add)}};
  CLI::App app;
  Answer answer;
  addCheckCommand(app, reader, answer.code);
  addSemanticsCommand(app, answer.code);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  try {
    app.parse(arguments, false);
  } catch (const CLI::ParseError &) {
    answer.code = ExitCode::badInput;
  }
  std::fflush(stdout);
  answer.out = testing::internal::GetCapturedStdout();
  answer.err = testing::internal::GetCapturedStderr();
  return answer;
}

TEST(CheckCommand, PairsWithinAFile) {
  const Answer answer = run("check pair.ll");
  EXPECT_EQ(answer.code, ExitCode::somethingWrong);
  EXPECT_THAT(answer.out, HasSubstr("@src under llvm: refines"));
  EXPECT_THAT(answer.out, HasSubstr("@src2 under llvm: wrong (value)"));
  EXPECT_THAT(answer.out, HasSubstr("Example:\ni2 %a = 1"));
  EXPECT_THAT(answer.err, HasSubstr("@other has no partner"));
}

TEST(CheckCommand, PairsAcrossFilesByName) {
  const Answer answer = run("check before.ll after.ll --semantics "
                            "llvm,llvm-undef --format json");
  EXPECT_EQ(answer.code, ExitCode::somethingWrong);
  std::vector<nlohmann::json> lines;
  std::istringstream stream(answer.out);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(lines.size(), 4U);
  for (const nlohmann::json &line : lines)
    for (const char *key :
         {"name", "verdict", "kind", "witness", "semantics", "engine"})
      EXPECT_TRUE(line.contains(key)) << key;
  EXPECT_EQ(lines[0]["verdict"], "refines");
  EXPECT_EQ(lines[1]["kind"], "more-undef");
  EXPECT_EQ(lines[1]["semantics"], "llvm-undef");
  EXPECT_EQ(lines[1]["witness"]["inputs"][0]["name"], "%a");
  EXPECT_EQ(lines[2]["verdict"], "unsupported");
  EXPECT_EQ(lines[2]["reason"], "@g: float");
}

TEST(CheckCommand, Engines) {
  const Answer answer = run("check pair.ll --engine reference --format json");
  EXPECT_THAT(answer.out, HasSubstr("\"engine\":\"reference\""));
}

TEST(CheckCommand, BadInput) {
  EXPECT_EQ(run("check missing.ll").code, ExitCode::badInput);
  EXPECT_THAT(run("check missing.ll").err, HasSubstr("no such file"));
  EXPECT_EQ(run("check pair.ll before.ll").code, ExitCode::badInput);
  EXPECT_THAT(run("check before.ll").err, HasSubstr("@src and @tgt"));
  EXPECT_EQ(run("check pair.ll --semantics nonsense").code, ExitCode::badInput);
  EXPECT_EQ(run("check pair.ll --format xml").code, ExitCode::badInput);
  EXPECT_EQ(run("check").code, ExitCode::badInput);
}

TEST(CheckCommand, SaysWhenItCannotTell) {
  const Answer answer = run("check before.ll before.ll");
  EXPECT_EQ(answer.code, ExitCode::incomplete);
}

TEST(SemanticsCommand, ListsPresetsAndKnobs) {
  const Answer answer = run("semantics");
  EXPECT_EQ(answer.code, ExitCode::nothingWrong);
  EXPECT_THAT(answer.out, HasSubstr("branch-nondet-undef"));
  EXPECT_THAT(answer.out, HasSubstr("select_condition"));
}

} // namespace
} // namespace checker
