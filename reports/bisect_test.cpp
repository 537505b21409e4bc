// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve bisect` in the hands of the programs that call it: git bisect over a
// repository whose commits are LLVM's releases, llvm-reduce, and opt with its
// own -opt-bisect-limit.
#include "reports/render/opt_program.h"

#include "runner/worker.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>

namespace reports {
namespace {

using testing::HasSubstr;

const std::string irsieve = IRSIEVE_PROGRAM;

std::string known(const std::string &name) {
  return std::filesystem::absolute("corpus/known/" + name).string();
}

class BisectTest : public testing::Test {
protected:
  struct Ran {
    int code = 0;
    std::string output; ///< of both streams
  };
  Ran shell(const std::string &command) const {
    const std::string line = fmt::format("cd {} && ( {} ) 2>&1 </dev/null",
                                         folder_.path().string(), command);
    std::FILE *pipe = ::popen(line.c_str(), "r");
    Ran ran;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
      ran.output.push_back(static_cast<char>(c));
    ran.code = WEXITSTATUS(::pclose(pipe));
    return ran;
  }
  std::string write(const std::string &name, const std::string &text) const {
    return folder_.write(name, text);
  }
  Ran bisect(const std::string &arguments) const {
    return shell(fmt::format("{} bisect {}", irsieve, arguments));
  }

  corpus::TemporaryFolder folder_;
};

TEST_F(BisectTest, SpeaksToGitBisectRun) {
  const std::string file = known("kb32_jump_threading.ll");
  const std::string asked = file + " --passes=jump-threading --opt ";
  EXPECT_EQ(bisect(asked + "opt-14").code, 0);
  EXPECT_EQ(bisect(asked + "opt-22").code, 1);
  // Any other code below 128 would be "bad".
  EXPECT_EQ(bisect(asked + "/nonexistent/opt").code, 125);
  EXPECT_EQ(bisect(asked + "/bin/false").code, 125);
  EXPECT_EQ(bisect(file + " --passes=no-such-pass --opt opt-22").code, 125);
  EXPECT_EQ(bisect(asked + "opt-22 --kind value").code, 125);
  EXPECT_EQ(bisect("nonexistent.ll --passes=gvn --opt opt-22").code, 128);
  EXPECT_EQ(bisect(file + " --opt opt-22").code, 128);
  EXPECT_EQ(bisect(asked + "opt-22 --no-such-option").code, 128);
}

TEST_F(BisectTest, TellsACrashFromAWrongResult) {
  const std::string asked = known("kb51_correlated_propagation.ll") +
                            " --passes=correlated-propagation --opt ";
  EXPECT_EQ(bisect(asked + "opt-14").code, 1);
  EXPECT_EQ(bisect(asked + "opt-14 --kind crash").code, 1);
  EXPECT_EQ(bisect(asked + "opt-14 --kind more-poison").code, 125);
  EXPECT_EQ(bisect(asked + "opt-22 --kind crash").code, 0);
}

/// A commit for each release, and one that does not build.
TEST_F(BisectTest, FindsTheFirstBadCommit) {
  std::string script = "git init -q . && git config user.email a@b && git "
                       "config user.name c && git config commit.gpgsign false";
  for (const char *release : {"13", "14", "15", "16", "broken", "19", "22"}) {
    const std::string program =
        std::string(release) == "broken"
            ? "exit 1"
            : fmt::format("exec opt-{} \"$@\"", release);
    write(fmt::format("opt.{}", release), "#!/bin/sh\n" + program + "\n");
    script +=
        fmt::format(" && cp opt.{0} opt && chmod +x opt && git add opt && "
                    "git commit -q -m 'LLVM {0}'",
                    release);
  }
  ASSERT_EQ(shell(script).code, 0) << shell(script).output;
  const Ran ran = shell(
      fmt::format("git bisect start HEAD HEAD~6 && git bisect run {} bisect {} "
                  "--passes=jump-threading --opt ./opt",
                  irsieve, known("kb32_jump_threading.ll")));
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("is the first bad commit"));
  EXPECT_EQ(shell("git log -1 --format=%s refs/bisect/bad").output, "LLVM 15\n")
      << ran.output;
}

TEST_F(BisectTest, IsAnInterestingnessTestOfLlvmReduce) {
  const std::string input = write("input.ll", R"(
define i8 @g(i8 %x) {
  %y = add i8 %x, 1
  ret i8 %y
}
define i1 @f(i1 %x, i1 %y, i8 %z) {
  %a = xor i1 %x, %y
  %b = trunc i8 %z to i1
  %c = mul i1 %a, %b
  %d = and i1 %c, %y
  ret i1 %d
}
)");
  const std::string test =
      write("test.sh", fmt::format("#!/bin/sh\n{} bisect --llvm 14 \"$1\" "
                                   "--passes=correlated-propagation --kind "
                                   "more-poison\ntest $? -eq 1\n",
                                   irsieve));
  const Ran ran =
      shell(fmt::format("chmod +x {0} && {0} {1} && llvm-reduce-22 "
                        "--delta-passes=functions,operands-skip,instructions "
                        "--test={0} -o small.ll {1}",
                        test, input));
  ASSERT_EQ(ran.code, 0) << ran.output;
  const Ran small = shell("cat small.ll");
  EXPECT_THAT(small.output, HasSubstr("mul i1"));
  for (const char *gone : {"xor", "trunc", "@g"})
    EXPECT_THAT(small.output, testing::Not(HasSubstr(gone)));
}

/// The index and name are opt's own: one pass less, and the result is right.
TEST_F(BisectTest, NamesThePassInstanceAsOptDoes) {
  const std::string file = known("kb01_instcombine.ll");
  const Ran ran = bisect(file + " --passes='default<O2>' --llvm 16");
  EXPECT_EQ(ran.code, 1) << ran.output;
  unsigned index = 0;
  const std::size_t at = ran.output.find("  pass ");
  ASSERT_NE(at, std::string::npos) << ran.output;
  ASSERT_EQ(std::sscanf(&ran.output[at], "  pass %u (", &index), 1);
  const auto limited = [&](unsigned limit) {
    return shell(fmt::format("opt-16 -S -passes='default<O2>' {} -o out.ll "
                             "-opt-bisect-limit={}",
                             file, limit));
  };
  const auto check = [&] {
    return shell(fmt::format("{} check {} out.ll", irsieve, file)).code;
  };
  limited(index - 1);
  EXPECT_EQ(check(), 0);
  const std::string log = limited(index).output;
  EXPECT_EQ(check(), 1);
  const std::size_t open = ran.output.find('(', at);
  const std::string name =
      ran.output.substr(open + 1, ran.output.find(')', open) - open - 1);
  EXPECT_THAT(log, HasSubstr(fmt::format("BISECT: running pass ({}) {}\n",
                                         index, name)));
  EXPECT_THAT(name, HasSubstr("InstCombine"));
}

/// A report counts the passes of the worker; opt gives the same number.
TEST_F(BisectTest, ReportsNameTheSameInstance) {
  const std::string asked = known("x07_simple_loop_unswitch.ll") +
                            " --passes='loop-mssa(simple-loop-unswitch"
                            "<nontrivial>)' --llvm 22";
  const Ran ran = bisect(asked);
  const std::size_t at = ran.output.find("  pass ");
  ASSERT_NE(at, std::string::npos) << ran.output;
  unsigned index = 0;
  ASSERT_EQ(std::sscanf(&ran.output[at], "  pass %u (", &index), 1);
  EXPECT_GT(index, 1U);
  const Ran report =
      shell(fmt::format("{0} run --corpus {1} --db x07.db -q; {0} report "
                        "--db x07.db --out x07 --format md; cat x07/*.md",
                        irsieve, asked));
  EXPECT_THAT(report.output,
              HasSubstr(fmt::format("culprit inside the pipeline: pass {} "
                                    "(simple-loop-unswitch)",
                                    index)));
}

TEST_F(BisectTest, ReducesAFile) {
  const Ran ran = shell(
      fmt::format("{} reduce {} --passes=instcombine --llvm 16", irsieve,
                  write("input.ll", "define i8 @f(i8 %x, i8 %y, i1 %c) {\n"
                                    "  %n = sub nsw i8 0, %x\n"
                                    "  %s = select i1 %c, i8 %n, i8 %x\n"
                                    "  %t = xor i8 %y, 5\n"
                                    "  %r = sub i8 %t, %s\n"
                                    "  ret i8 %r\n"
                                    "}\n")));
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("more-poison in instcombine of LLVM 16"));
  EXPECT_THAT(ran.output, testing::Not(HasSubstr("xor")));
}

} // namespace
} // namespace reports
