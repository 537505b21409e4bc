// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/command.h"

#include "checker/child.h"
#include "corpus/system/temporary_folder.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>

namespace checker {
namespace {

using corpus::ExitCode;
using corpus::Opcode;
using corpus::Program;
using corpus::Type;
using testing::HasSubstr;
using testing::Not;

class FakeReader : public corpus::ProgramReader {
public:
  corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path, corpus::Reading) override {
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

/// a / b / c, or a / c / b, of three i64.
Program quotient(bool isByFirst) {
  const Type i64 = Type::integer(64);
  Program program;
  const corpus::Operand a = program.addParameter(i64);
  const corpus::Operand b = program.addParameter(i64);
  const corpus::Operand c = program.addParameter(i64);
  program.signature.returnType = i64;
  const corpus::Operand inner =
      program.append(Opcode::udiv, i64, {a, isByFirst ? b : c});
  const corpus::Operand outer =
      program.append(Opcode::udiv, i64, {inner, isByFirst ? c : b});
  program.append(Opcode::ret, Type(), {outer});
  return program;
}

/// *p, or *p & -1.
Program loaded(bool isMasked) {
  const Type i32 = Type::integer(32);
  Program program;
  const corpus::Operand pointer = program.addParameter(Type::pointer());
  program.signature.returnType = i32;
  corpus::Instruction load;
  load.opcode = Opcode::load;
  load.type = i32;
  load.alignment = 1;
  corpus::Operand value = program.append(load, std::array{pointer});
  if (isMasked)
    value = program.append(Opcode::and_, i32,
                           {value, corpus::Operand::constant(i32, ~0U)});
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
  reader.files["twice.ll"] = {{"src", sample(Opcode::mul)},
                              {"tgt", sample(Opcode::add)}};
  reader.files["wrong.ll"] = {{"src", sample(Opcode::add)},
                              {"tgt", sample(Opcode::ret)}};
  reader.files["bytes.ll"] = {{"src", loaded(false)}, {"tgt", loaded(true)}};
  reader.files["wide.ll"] = {{"src", quotient(true)}, {"tgt", quotient(false)}};
  reader.files["none.ll"] = {};
  CLI::App app;
  Answer answer;
  addCheckCommand(app, reader, answer.code);
  addSemanticsCommand(app, answer.code);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  try {
    app.parse(std::move(arguments), false);
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
  const nlohmann::json &witness = lines[1]["witness"];
  EXPECT_EQ(witness["inputs"][0]["name"], "%a");
  for (const char *side : {"source", "target"}) {
    EXPECT_EQ(witness[side]["values"][0]["name"], "%v0") << side;
    EXPECT_EQ(witness[side]["values"][0]["type"], "i2") << side;
  }
  EXPECT_EQ(lines[2]["verdict"], "unsupported");
  EXPECT_EQ(lines[2]["reason"], "@g: float");
}

TEST(CheckCommand, Engines) {
  const Answer answer = run("check pair.ll --engine reference --format json");
  EXPECT_THAT(answer.out, HasSubstr("\"engine\":\"reference\""));
  // @src is right, @src2 wrong: both engines say both.
  const Answer both = run("check pair.ll --engine both --format json");
  EXPECT_EQ(both.code, ExitCode::somethingWrong);
  EXPECT_THAT(both.out, HasSubstr("\"engine\":\"both\",\"kind\":null"));
  EXPECT_THAT(both.out, HasSubstr("\"engine\":\"both\",\"kind\":\"value\""));
}

// 257 values of four bytes are too many, but few of them matter.
TEST(CheckCommand, AllContentsOfMemory) {
  EXPECT_THAT(run("check bytes.ll --engine exhaustive").out,
              HasSubstr("refines"));
  EXPECT_THAT(run("check bytes.ll --full-bytes").out, HasSubstr("undecided: "));
}

TEST(CheckCommand, BadInput) {
  EXPECT_EQ(run("check missing.ll").code, ExitCode::badInput);
  EXPECT_THAT(run("check missing.ll").err, HasSubstr("no such file"));
  EXPECT_EQ(run("check pair.ll before.ll").code, ExitCode::badInput);
  EXPECT_THAT(run("check before.ll").err, HasSubstr("@src and @tgt"));
  EXPECT_EQ(run("check pair.ll --semantics nonsense").code, ExitCode::badInput);
  EXPECT_EQ(run("check pair.ll --format xml").code, ExitCode::badInput);
  EXPECT_EQ(run("check pair.ll --memory 63").code, ExitCode::badInput);
  EXPECT_NE(run("check pair.ll --memory 1048576").code, ExitCode::badInput);
  EXPECT_EQ(run("check").code, ExitCode::badInput);
}

TEST(CheckCommand, SaysWhenItCannotTell) {
  const Answer answer = run("check before.ll before.ll");
  EXPECT_EQ(answer.code, ExitCode::incomplete);
}

std::string searched() {
  const char *path = std::getenv("PATH");
  return path == nullptr ? "" : path;
}

/// An `alive-tv` on PATH that prints what it is told, while this lives.
class StandIn {
public:
  explicit StandIn(const std::string &says) : path_(searched()) {
    const std::string script =
        folder_.write("alive-tv", "#!/bin/sh\necho \"$@\" >> " + arguments() +
                                      "\ncat <<'EOF'\n" + says + "\nEOF\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  ~StandIn() { setenv("PATH", path_.c_str(), 1); }
  StandIn(const StandIn &) = delete;
  StandIn &operator=(const StandIn &) = delete;

  std::string arguments() const { return folder_.file("arguments"); }
  std::string wasAsked() const {
    std::ostringstream text;
    text << std::ifstream(arguments()).rdbuf();
    return text.str();
  }

private:
  const corpus::TemporaryFolder folder_;
  std::string path_;
};

// What alive-tv prints, from its tools/alive-tv.cpp and llvm_util/compare.cpp.
constexpr const char *aliveCorrect = "Transformation seems to be correct!\n\n";
constexpr const char *aliveWrong =
    "Transformation doesn't verify!\n\nERROR: Value mismatch\n\nExample:\n";

TEST(Confirm, AThirdOpinion) {
  const std::string twice = "check twice.ll --confirm --differences none.ll ";
  const std::string wrong = "check wrong.ll --confirm --differences none.ll ";
  {
    StandIn alive(aliveCorrect);
    const Answer right = run(twice);
    EXPECT_EQ(right.code, ExitCode::nothingWrong) << right.err;
    EXPECT_THAT(right.out, HasSubstr("alive-tv: agrees"));
    EXPECT_THAT(alive.wasAsked(), HasSubstr("--disable-undef-input"));
    EXPECT_THAT(alive.wasAsked(), Not(HasSubstr("--disable-poison-input")));
    run(twice + "--semantics defined-inputs");
    EXPECT_THAT(alive.wasAsked(), HasSubstr("--disable-poison-input"));

    const Answer other = run(wrong);
    EXPECT_EQ(other.code, ExitCode::incomplete);
    EXPECT_THAT(other.err, HasSubstr("alive-tv disagrees"));
    EXPECT_THAT(run(wrong + "--format json").out,
                HasSubstr("\"confirm\":\"disagrees\""));
    // A semantics that it does not have.
    EXPECT_EQ(run(wrong + "--semantics taming").code, ExitCode::somethingWrong);
  }
  {
    StandIn alive(aliveWrong);
    EXPECT_EQ(run(wrong).code, ExitCode::somethingWrong);
    EXPECT_THAT(run(wrong).out,
                HasSubstr("alive-tv: agrees (ERROR: Value mismatch)"));
    EXPECT_EQ(run(twice).code, ExitCode::incomplete);
    // The pair stands in the file, with its arguments in another order.
    const Answer known = run("check twice.ll --confirm --differences twice.ll");
    EXPECT_EQ(known.code, ExitCode::nothingWrong);
    EXPECT_THAT(known.out, HasSubstr("alive-tv: known difference"));
  }
  {
    StandIn alive("ERROR: Timeout\n");
    EXPECT_EQ(run(wrong).code, ExitCode::somethingWrong);
    EXPECT_THAT(run(wrong).out, HasSubstr("no opinion (ERROR: Timeout)"));
    EXPECT_EQ(run(twice + "--differences missing.ll").code, ExitCode::badInput);
  }
}

TEST(Confirm, NeedsAliveTv) {
  const std::string path = searched();
  setenv("PATH", "/nowhere", 1);
  const Answer answer = run("check twice.ll --confirm");
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(answer.code, ExitCode::badInput);
  EXPECT_THAT(answer.err, HasSubstr("needs alive-tv on PATH"));
}

TEST(CheckCommand, GivesUpInTimeAndMemory) {
  const std::string much =
      "check wide.ll --engine smt --smt-resources 4000000000 ";
  const Answer late = run(much + "--timeout 1");
  EXPECT_EQ(late.code, ExitCode::incomplete);
  EXPECT_THAT(late.out, HasSubstr("undecided: no answer within 1 s"));
  const Answer little = run("check wide.ll --engine smt --smt-resources 1000");
  EXPECT_EQ(little.code, ExitCode::incomplete);
  EXPECT_THAT(little.out, HasSubstr("within 1000 resource units"));
}

TEST(CheckCommand, SumsUp) {
  const Answer text = run("check pair.ll -j 2");
  EXPECT_THAT(text.out, testing::EndsWith("Summary: 1 refines, 1 wrong, 0 "
                                          "unsupported, 0 undecided\n"));
  EXPECT_THAT(run("check pair.ll --format json").out,
              Not(HasSubstr("Summary")));
}

// However many run at a time, the answers come in the order of the pairs.
TEST(CheckCommand, PairsInParallel) {
  const Answer one = run("check pair.ll --semantics all -j 1");
  const Answer many = run("check pair.ll --semantics all -j 7");
  EXPECT_EQ(one.out, many.out);
  EXPECT_EQ(one.code, many.code);
}

TEST(Children, SayHowTheyEnded) {
  const std::vector<std::function<int()>> works = {
      [] {
        std::fputs("seven", stdout);
        return 7;
      },
      [] {
        pause();
        return 0;
      },
      []() -> int { throw std::bad_alloc(); },
      [] {
        std::signal(SIGTERM, SIG_DFL);
        return std::raise(SIGTERM);
      }};
  for (const unsigned atOnce : {1U, 3U}) {
    std::vector<std::pair<ChildEnd, std::string>> ends;
    Children children;
    children.count = works.size();
    children.atOnce = atOnce;
    children.limits = {std::chrono::seconds(1), std::uint64_t(1) << 30};
    children.work = [&](std::size_t i) { return works[i](); };
    children.done = [&](std::size_t i, const ChildEnd &end,
                        const std::string &output) {
      EXPECT_EQ(i, ends.size());
      ends.emplace_back(end, output);
    };
    runChildren(children);
    const std::vector<std::pair<ChildEnd, std::string>> expected = {
        {7, "seven"},
        {"no answer within 1 s", ""},
        {"out of memory (1024 MB)", ""},
        {"SIGTERM", ""}};
    EXPECT_EQ(ends, expected);
  }
}

TEST(Children, WhatCameBeforeDoesNotDecide) {
  int before = 0;
  std::vector<std::pair<ChildEnd, std::string>> ends;
  Children children;
  children.count = 6;
  // The second piece of any process crashes.
  children.work = [&](std::size_t i) {
    if (++before == 2)
      std::abort();
    std::printf("%d", before);
    return static_cast<int>(i);
  };
  children.done = [&](std::size_t, const ChildEnd &end,
                      const std::string &output) {
    ends.emplace_back(end, output);
  };
  runChildren(children);
  std::vector<std::pair<ChildEnd, std::string>> expected;
  expected.reserve(children.count);
  for (int i = 0; i < 6; ++i)
    expected.emplace_back(i, "1");
  EXPECT_EQ(ends, expected);
}

TEST(SemanticsCommand, ListsPresetsAndKnobs) {
  const Answer answer = run("semantics");
  EXPECT_EQ(answer.code, ExitCode::nothingWrong);
  EXPECT_THAT(answer.out, HasSubstr("branch-nondet-undef"));
  EXPECT_THAT(answer.out, HasSubstr("select_condition"));
}

} // namespace
} // namespace checker
