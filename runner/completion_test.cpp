// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A made-up command line, as bash completes it and as man's macros hold it.
#include "runner/completion.h"

#include "corpus/system/process.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>

namespace runner {
namespace {

using testing::HasSubstr;

struct Line {
  CLI::App app{"Sieves sand", "sieve"};
  std::string format;
  bool quiet = false;
  Line() {
    CLI::App *run = app.add_subcommand("run", "Shake it's box");
    run->add_option("--format", format, "Of the sand [wet: \\]")
        ->check(CLI::IsMember({"fine", "coarse"}));
    run->add_flag("-q,--quiet", quiet, ".not a macro");
    CLI::App *pile = app.add_subcommand("pile", "Many boxes");
    pile->add_subcommand("up", "Higher")
        ->add_flag("--top", quiet, "To the top");
  }
  /// What bash offers for the last word.
  std::string offered(const std::string &words) const {
    const corpus::ProcessEnd end = corpus::runProcess(
        {"bash", "-c",
         bashCompletion(app) + "COMP_WORDS=(sieve " + words +
             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sieve; "
             "echo \"${COMPREPLY[*]}\""},
        "", {});
    EXPECT_EQ(end.err, "");
    return end.out;
  }
};

TEST(Completion, BashOffersCommandsOptionsAndTheirWords) {
  const Line line;
  EXPECT_EQ(line.offered("''"), "run pile\n");
  EXPECT_EQ(line.offered("r"), "run\n");
  EXPECT_EQ(line.offered("run --"), "--help --format --quiet\n");
  EXPECT_EQ(line.offered("run --format ''"), "fine coarse\n");
  EXPECT_EQ(line.offered("run --format c"), "coarse\n");
  EXPECT_EQ(line.offered("pile ''"), "up\n");
  EXPECT_EQ(line.offered("pile up --t"), "--top\n");
  EXPECT_EQ(line.offered("run sand"), "\n");
}

TEST(Completion, ZshIsToldTheDescriptions) {
  const std::string text = zshCompletion(Line().app);
  EXPECT_THAT(text, HasSubstr("#compdef sieve\n"));
  EXPECT_THAT(text, HasSubstr("'run:Shake it'\\''s box'"));
  EXPECT_THAT(text, HasSubstr("'--format[Of the sand \\[wet\\: \\\\\\]]"
                              ":value:(fine coarse)'"));
}

TEST(Completion, ManHasEveryCommandAndNoStrayMacro) {
  const std::string text = manualPage(Line().app, "1.2");
  EXPECT_THAT(text, HasSubstr(".TH SIEVE 1 \"\" \"sieve 1.2\"\n"));
  EXPECT_THAT(text, HasSubstr(".SS sieve pile up\n"));
  EXPECT_THAT(text, HasSubstr("\\-q, \\-\\-quiet"));
  EXPECT_THAT(text, HasSubstr("\n\\&.not a macro\n"));
}

} // namespace
} // namespace runner
