// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve check` on files that nobody would write: mutated, truncated, huge,
// deeply nested. Whatever they hold, it ends in time, in bounded memory, with
// verdicts or with exit code 2 and a message. Only the worker that parses may
// die, and it is started again. The seeds are corpus/known; the same seed of
// the generator gives the same files. IRSIEVE_FUZZ_SECONDS says how long (4).
#include "checker/command.h"
#include "corpus/system/temporary_folder.h"
#include "runner/frames.h"
#include "runner/worker.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <sys/resource.h>

namespace runner {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Random = std::mt19937_64;

constexpr unsigned pairTimeout = 5; ///< seconds
/// The worker's own limit, and a pair or two that take all they may.
constexpr std::chrono::seconds longest{60};
constexpr long mostMemory = 1L << 20; ///< kB

std::string contentOf(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> seeds() {
  std::vector<fs::path> paths;
  for (const auto &entry : fs::recursive_directory_iterator("corpus/known"))
    if (entry.path().extension() == ".ll")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  texts.reserve(paths.size());
  for (const fs::path &path : paths)
    texts.push_back(contentOf(path));
  return texts;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

/// A pair of functions with that body, the second after a small change.
std::string pairOf(const std::string &signature, const std::string &body,
                   const std::string &otherBody) {
  return fmt::format("define {0}src{1} {{\n{2}}}\ndefine {0}tgt{1} {{\n{3}}}\n",
                     signature.substr(0, signature.find('@') + 1),
                     signature.substr(signature.find('@') + 1), body,
                     otherBody);
}

struct Monster {
  std::string_view name;
  std::string (*text)();
};

std::string manyInstructions(std::size_t count, std::string_view type) {
  std::string body = fmt::format("  %x0 = add {} %a, 1\n", type);
  for (std::size_t i = 1; i < count; ++i)
    body += fmt::format("  %x{} = mul {} %x{}, %a\n", i, type, i - 1);
  return body + fmt::format("  ret {} %x{}\n", type, count - 1);
}

constexpr std::array<Monster, 14> monsters = {{
    {"nothing", [] { return std::string(); }},
    {"zeros", [] { return std::string(100'000, '\0'); }},
    {"a long line", [] { return repeated("a", 3'000'000); }},
    {"a long name",
     [] {
       return pairOf("i8 @(i8 %" + repeated("n", 500'000) + ")", "  ret i8 0\n",
                     "  ret i8 1\n");
     }},
    {"strange names",
     [] {
       return std::string("define i8 @\"src\\FF\\00\"() {\n  ret i8 0\n}\n"
                          "define i8 @\"tgt\\FF\\00\"() {\n  ret i8 1\n}\n");
     }},
    {"nested types",
     [] {
       return "define void @src(" + repeated("{", 200'000) + "i8" +
              repeated("}", 200'000) + " %a) { ret void }\n";
     }},
    {"nested constants",
     [] {
       return "define i8 @src() {\n  ret i8 " + repeated("xor (i8 ", 50'000) +
              "1" + repeated(", i8 1)", 50'000) + "\n}\n";
     }},
    {"many instructions",
     [] {
       return pairOf("i8 @(i8 %a)", manyInstructions(20'000, "i8"),
                     manyInstructions(20'000, "i8"));
     }},
    {"a few thousand instructions",
     [] {
       return pairOf("i64 @(i64 %a)", manyInstructions(1'500, "i64"),
                     manyInstructions(1'501, "i64"));
     }},
    {"many arguments",
     [] {
       std::string arguments = "i8 %a";
       for (int i = 0; i < 2'000; ++i)
         arguments += fmt::format(", i2 %p{}", i);
       return pairOf("i2 @(" + arguments + ")", "  ret i2 %p7\n",
                     "  ret i2 %p8\n");
     }},
    {"many blocks",
     [] {
       std::string body = "  br label %b0\n";
       for (int i = 0; i < 1'000; ++i)
         body += fmt::format("b{}:\n  br i1 %a, label %b{}, label %b{}\n", i,
                             i + 1, i * 7 % 1'000);
       body += "b1000:\n  ret i1 %a\n";
       return pairOf("i1 @(i1 %a)", body, body + "\n");
     }},
    {"a large switch",
     [] {
       std::string cases;
       for (int i = 0; i < 30'000; ++i)
         cases += fmt::format("    i32 {}, label %b\n", i);
       const std::string body = "  switch i32 %a, label %c [\n" + cases +
                                "  ]\nb:\n  ret i32 %a\nc:\n  ret i32 ";
       return pairOf("i32 @(i32 %a)", body + "0\n", body + "1\n");
     }},
    {"a long loop",
     [] {
       const auto body = [](std::string_view start) {
         return fmt::format("  br label %l\nl:\n"
                            "  %i = phi i64 [ {}, %0 ], [ %n, %l ]\n"
                            "  %n = add i64 %i, 1\n"
                            "  %c = icmp eq i64 %n, 0\n"
                            "  br i1 %c, label %e, label %l\n"
                            "e:\n  ret i64 %n\n",
                            start);
       };
       return pairOf("i64 @()", body("1"), body("3"));
     }},
    {"freezes of undef in a loop",
     [] {
       const std::string body = "  br label %l\nl:\n"
                                "  %s = phi i16 [ 0, %0 ], [ %n, %l ]\n"
                                "  %f = freeze i16 undef\n"
                                "  %g = freeze i16 undef\n"
                                "  %m = mul i16 %f, %g\n"
                                "  %n = add i16 %s, %m\n"
                                "  %c = icmp eq i16 %n, 5\n"
                                "  br i1 %c, label %e, label %l\n"
                                "e:\n  ret i16 %n\n";
       return pairOf("i16 @()", body, body + "\n");
     }},
}};

constexpr std::array<std::string_view, 40> words = {
    "i1",
    "i3",
    "i8",
    "i64",
    "i65",
    "i8388607",
    "undef",
    "poison",
    "freeze",
    "add",
    "sdiv",
    "nsw",
    "exact",
    "phi",
    "br",
    "switch",
    "ret",
    "call",
    "select",
    "noundef",
    "label",
    "define",
    "%a",
    "%v0",
    "@src",
    "@tgt",
    "void",
    "float",
    "ptr",
    "<2 x",
    "{",
    "}",
    "(",
    "metadata",
    "0",
    "-1",
    "999999999999999999999999",
    "\"",
    "!0",
    "\xff",
};

class Mutator {
public:
  Mutator(Random &random, const std::vector<std::string> &texts)
      : random_(random), texts_(texts) {}

  std::string next() {
    std::string text = texts_[below(texts_.size())];
    for (std::size_t i = 1 + below(2); i > 0; --i)
      mutate(text);
    return text;
  }

private:
  std::size_t below(std::size_t count) { return random_() % count; }

  void mutate(std::string &text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t size =
        below(std::min<std::size_t>(text.size() - at + 1, 1 + below(80)));
    switch (below(8)) {
    case 0:
      text.resize(at);
      return;
    case 1:
      text.erase(at, size);
      return;
    case 2:
      text.insert(at, std::string(text.substr(at, size)));
      return;
    case 3:
      if (at < text.size())
        text[at] = static_cast<char>(random_());
      return;
    case 4: { // a word for a word
      const std::size_t begin = text.find_first_of(" (,", at);
      const std::size_t end =
          begin == text.npos ? begin : text.find_first_of(" ,)\n", begin + 1);
      if (end != text.npos)
        text.replace(begin + 1, end - begin - 1, words[below(words.size())]);
      return;
    }
    case 5:
      text.insert(at, fmt::format(" {} ", words[below(words.size())]));
      return;
    case 6: { // a line for a line
      const std::string &other = texts_[below(texts_.size())];
      const auto lineOf = [&](const std::string &from, std::size_t place) {
        const std::size_t begin = from.rfind('\n', place);
        const std::size_t first = begin == from.npos ? 0 : begin + 1;
        return std::pair(first, std::min(from.find('\n', first), from.size()));
      };
      if (text.empty() || other.empty())
        return;
      const auto [from, to] = lineOf(other, below(other.size()));
      const auto [begin, end] = lineOf(text, below(text.size()));
      text.replace(begin, end - begin, other.substr(from, to - from));
      return;
    }
    case 7: { // another width everywhere
      const std::size_t found = text.find(" i", at);
      if (found == text.npos)
        return;
      const std::string old =
          text.substr(found, text.find_first_of(" ,()", found + 1) - found);
      const std::string made = fmt::format(" i{}", 1 + below(66));
      for (std::size_t place = 0; (place = text.find(old, place)) != text.npos;
           place += made.size())
        text.replace(place, old.size(), made);
      return;
    }
    }
  }

  Random &random_;
  const std::vector<std::string> &texts_;
};

class HostileInput : public testing::Test {
protected:
  /// Checks the text under a preset and everything that the header promises.
  void check(const std::string &text, const std::string &semantics) {
    const std::string path = folder_.write("hostile.ll", text);
    CLI::App app;
    corpus::ExitCode code = corpus::ExitCode::nothingWrong;
    checker::addCheckCommand(app, reader_, code);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const Clock::time_point begin = Clock::now();
    app.parse(fmt::format("check {} --format json --semantics {} --timeout {} "
                          "--memory 1024",
                          path, semantics, pairTimeout),
              false);
    const auto took = Clock::now() - begin;
    const std::string out = testing::internal::GetCapturedStdout();
    const std::string err = testing::internal::GetCapturedStderr();

    EXPECT_LT(took, longest);
    if (code == corpus::ExitCode::badInput) {
      ++refused_;
      EXPECT_EQ(out, "");
      EXPECT_TRUE(err.starts_with("irsieve check: ")) << err;
      EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
      return;
    }
    std::istringstream lines(out);
    unsigned verdicts = 0;
    for (std::string line; std::getline(lines, line); ++verdicts) {
      const auto object = nlohmann::json::parse(line);
      const std::string reason = object.value("reason", "");
      EXPECT_EQ(reason.find("SIG"), reason.npos) << reason;
      ++answers_[object["verdict"]];
    }
    EXPECT_GT(verdicts, 0U) << err;
  }

  void expectLittleMemory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(usage.ru_maxrss, mostMemory);
#endif
    for (const auto &[word, count] : answers_)
      RecordProperty(word, static_cast<int>(count));
    RecordProperty("refused", static_cast<int>(refused_));
  }

  const corpus::TemporaryFolder folder_;
  WorkerReader reader_;
  unsigned refused_ = 0;
  std::map<std::string, unsigned> answers_;
};

/// `check` asks a reader, where there is one.
TEST(Reader, ReadsWhatTheWorkerReads) {
  WorkerReader reader;
  Worker worker(installedReleases().back());
  for (const auto &entry : fs::recursive_directory_iterator("corpus/known")) {
    if (entry.path().extension() != ".ll")
      continue;
    const std::string path = entry.path().string();
    for (const auto reading :
         {corpus::Reading::exactly, corpus::Reading::toRun}) {
      const auto one = reader.read(path, reading);
      const auto answer = worker.read(path, reading);
      const auto &other = std::get<0>(answer);
      ASSERT_EQ(bool(one), bool(other)) << path;
      if (one)
        EXPECT_EQ(toJson(*one), toJson(*other)) << path;
      else
        EXPECT_EQ(one.error().message, other.error().message);
    }
  }
}

TEST_F(HostileInput, Monsters) {
  for (const Monster &monster : monsters) {
    SCOPED_TRACE(monster.name);
    check(monster.text(), "llvm-undef");
  }
  expectLittleMemory();
}

TEST_F(HostileInput, MutatedFiles) {
  const char *variable = std::getenv("IRSIEVE_FUZZ_SECONDS");
  const std::chrono::seconds time(
      variable == nullptr ? 4 : std::strtol(variable, nullptr, 10));
  const std::vector<std::string> texts = seeds();
  ASSERT_GE(texts.size(), 40U);
  Random random(1);
  Mutator mutator(random, texts);
  constexpr std::array<const char *, 4> presets = {"llvm", "llvm-undef",
                                                   "bitwise", "branch-nondet"};
  const Clock::time_point end = Clock::now() + time;
  unsigned files = 0;
  while (Clock::now() < end) {
    const std::string text = mutator.next();
    const std::string preset = presets[files++ % presets.size()];
    check(text, preset);
    if (HasFailure()) {
      ADD_FAILURE() << "file " << files << " under " << preset << ":\n" << text;
      break;
    }
  }
  RecordProperty("files", static_cast<int>(files));
  // Files that LLVM refuses are the lesser half of the test.
  EXPECT_GT(answers_["refines"], 0U);
  EXPECT_GT(answers_["wrong"], 0U);
  EXPECT_GT(refused_, 0U);
  expectLittleMemory();
}

} // namespace
} // namespace runner
