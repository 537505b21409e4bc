// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against programs of the system, whose ends are known.
#include "corpus/system/process.h"

#include "corpus/system/temporary_folder.h"

#include <gmock/gmock.h>

#include <csignal>

namespace corpus {
namespace {

using How = ProcessEnd::How;

TEST(Process, TextGoesInAndOut) {
  // Longer than a pipe holds.
  const std::string text(1 << 20, 'x');
  const ProcessEnd end = runProcess({"cat"}, text, {});
  EXPECT_TRUE(end.isGood());
  EXPECT_EQ(end.out, text);
  EXPECT_EQ(end.err, "");
}

TEST(Process, AShellReadsAWordBack) {
  const std::string text = "it's $HOME `date` \\ \"x\"\n*";
  const ProcessEnd end =
      runProcess({"sh", "-c", "printf %s " + shellWord(text)}, "", {});
  EXPECT_EQ(end.out, text);
}

TEST(Process, SaysHowItEnded) {
  const ProcessEnd exited =
      runProcess({"sh", "-c", "echo why >&2; exit 3"}, "", {});
  EXPECT_EQ(exited.how, How::exited);
  EXPECT_EQ(exited.code, 3);
  EXPECT_EQ(exited.what, "exit 3");
  EXPECT_EQ(exited.err, "why\n");
  const ProcessEnd killed = runProcess({"sh", "-c", "kill -SEGV $$"}, "", {});
  EXPECT_EQ(killed.how, How::signalled);
  EXPECT_EQ(killed.what, "SIGSEGV");
  const ProcessEnd slow = runProcess(
      {"sleep", "60"}, "", {.timeLimit = std::chrono::milliseconds(100)});
  EXPECT_EQ(slow.how, How::hung);
}

TEST(Process, CannotStart) {
  const ProcessEnd end = runProcess({"no-such-program"}, "", {});
  EXPECT_EQ(end.code, ProcessEnd::cannotStart);
  EXPECT_THAT(end.err, testing::HasSubstr("no-such-program: No such file"));
}

TEST(TemporaryFolder, GoesWithItsFiles) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_EQ(folder.write("a", "text"), folder.file("a"));
    EXPECT_TRUE(std::filesystem::exists(path / "a"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
} // namespace corpus
