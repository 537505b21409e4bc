// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real program, started as a user starts it, with a folder for its files.
// For tests.
#pragma once

#include "corpus/system/temporary_folder.h"
#include "runner/protocol.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace runner {

struct Finished {
  int code = -1;
  std::string out;
  std::string err;
  /// The last line of stdout.
  Json json() const {
    const std::size_t end = out.find_last_not_of('\n');
    const std::size_t begin = out.rfind('\n', end) + 1;
    return Json::parse(out.substr(begin, end - begin + 1), nullptr, false);
  }
};

class ProgramTest : public testing::Test {
protected:
  std::string path(const std::string &name) const { return folder_.file(name); }
  std::string write(const std::string &name, const std::string &text) const {
    return folder_.write(name, text);
  }
  static std::string slurp(const std::string &file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  pid_t start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), program_);
    return startProgram(std::move(arguments));
  }
  /// arguments[0] is its path.
  pid_t startProgram(std::vector<std::string> arguments) const {
    std::vector<char *> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string &argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    ::posix_spawn_file_actions_addopen(&actions, 1, path("out").c_str(), flags,
                                       0600);
    ::posix_spawn_file_actions_addopen(&actions, 2, path("err").c_str(), flags,
                                       0600);
    pid_t pid = 0;
    EXPECT_EQ(::posix_spawn(&pid, pointers.front(), &actions, nullptr,
                            pointers.data(), environ),
              0);
    ::posix_spawn_file_actions_destroy(&actions);
    return pid;
  }
  Finished irsieve(const std::vector<std::string> &arguments) const {
    return finish(start(arguments));
  }
  Finished finish(pid_t pid) const {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, slurp(path("out")),
            slurp(path("err"))};
  }

  /// `run ... --format json`, and its summary.
  Json run(std::vector<std::string> arguments, int expectedCode) const {
    arguments.insert(arguments.begin(), {"run", "--format", "json", "-q"});
    const Finished finished = irsieve(arguments);
    EXPECT_EQ(finished.code, expectedCode) << finished.out << finished.err;
    return finished.json();
  }

  std::string program_ = IRSIEVE_PROGRAM;

private:
  corpus::TemporaryFolder folder_;
};

} // namespace runner
