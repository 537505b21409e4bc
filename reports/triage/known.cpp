// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/known.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>

namespace reports {
namespace {

using corpus::Error;

std::vector<std::string> words(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;)
    result.push_back(word);
  return result;
}

std::optional<unsigned> releaseOf(std::string_view text) {
  unsigned release = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), release);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return release;
}

bool setReleases(const std::string &value, std::vector<unsigned> &releases) {
  for (const std::string &word : words(value)) {
    const auto release = releaseOf(word);
    if (!release)
      return false;
    releases.push_back(*release);
  }
  return true;
}

/// Whether key and value say something that a header may say.
bool set(KnownBug &bug, std::string_view key, const std::string &value) {
  const auto byRelease = [&](std::string_view prefix,
                             std::map<unsigned, std::string> &map) {
    if (!key.starts_with(prefix))
      return false;
    const auto release = releaseOf(key.substr(prefix.size()));
    return release && map.emplace(*release, value).second;
  };
  if (key == "id")
    bug.id = value;
  else if (key == "issue")
    bug.issues = words(value);
  else if (key == "passes")
    bug.passes = value;
  else if (key == "data-layout")
    bug.dataLayout = value;
  else if (key == "semantics")
    bug.semantics = value;
  else if (key == "signature")
    bug.signatures = words(value);
  else if (key == "root")
    bug.roots = words(value);
  else if (key == "wrong-in")
    return setReleases(value, bug.wrongIn);
  else if (key == "right-in")
    return setReleases(value, bug.rightIn);
  else if (key == "not-in")
    return setReleases(value, bug.notIn);
  else if (key == "otherwise-in")
    return setReleases(value, bug.otherwiseIn);
  else if (key == "kind") {
    const auto kind = checker::parseKind(value);
    if (!kind)
      return false;
    bug.kind = *kind;
  } else
    return byRelease("passes-", bug.passesIn) ||
           byRelease("llvm-arg-", bug.llvmArgsIn);
  return true;
}

} // namespace

runner::Pipeline KnownBug::pipeline(unsigned release) const {
  runner::Pipeline result;
  const auto own = passesIn.find(release);
  result.passes = own == passesIn.end() ? passes : own->second;
  result.dataLayout = dataLayout;
  if (const auto argument = llvmArgsIn.find(release);
      argument != llvmArgsIn.end())
    result.llvmArgs.push_back(argument->second);
  return result;
}

namespace {

corpus::Result<KnownBug> parseKnownBug(std::istream &stream,
                                       const std::string &path) {
  KnownBug bug;
  bug.path = path;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(';'))
      break;
    const std::size_t colon = line.find(": ");
    const std::string_view key =
        std::string_view(line).substr(0, std::min(colon, line.size()));
    // Other lines of the header are prose.
    if (colon == std::string::npos || key.find(' ', 2) != key.npos ||
        key.starts_with("; SPDX"))
      continue;
    if (!set(bug, key.substr(2), line.substr(colon + 2)))
      return Error{fmt::format("{}: cannot be understood: {}", path, line)};
  }
  if (bug.id.empty() || bug.passes.empty() || bug.semantics.empty() ||
      bug.wrongIn.empty())
    return Error{fmt::format(
        "{}: its head must say id, passes, kind, semantics and wrong-in",
        path)};
  return bug;
}

} // namespace

corpus::Result<KnownBug> readKnownBug(const std::string &path) {
  std::ifstream stream(path);
  if (!stream)
    return Error{fmt::format("{}: cannot be read", path)};
  return parseKnownBug(stream, path);
}

corpus::Result<std::vector<KnownBug>> readKnownBugs(const std::string &folder) {
  std::vector<KnownBug> bugs;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".ll")
      continue;
    auto bug = readKnownBug(entry.path().string());
    if (!bug)
      return bug.error();
    bugs.push_back(std::move(*bug));
  }
  if (error)
    return Error{fmt::format("{}: {}", folder, error.message())};
  std::sort(bugs.begin(), bugs.end(),
            [](const auto &a, const auto &b) { return a.id < b.id; });
  return bugs;
}

namespace {

const std::vector<KnownBug> &embeddedBugs() {
  static const std::vector<KnownBug> bugs = [] {
    std::vector<KnownBug> result;
    for (const EmbeddedFile &file : knownFiles()) {
      std::istringstream stream{std::string(file.text)};
      auto bug = parseKnownBug(stream, std::string(file.name));
      assert(bug && "a test reads every one of them");
      result.push_back(std::move(*bug));
    }
    return result;
  }();
  return bugs;
}

const KnownBug *bugNamed(const std::string &id) {
  for (const KnownBug &bug : embeddedBugs())
    if (bug.id == id)
      return &bug;
  return nullptr;
}

bool contains(const auto &list, const auto &item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// The only one of which `is` holds, or the first of several that are one
/// issue.
template <typename Is> std::optional<Known> onlyOne(Is is) {
  const KnownBug *found = nullptr;
  for (const KnownBug &bug : embeddedBugs())
    if (is(bug)) {
      if (found != nullptr &&
          (bug.issues.empty() || found->issues != bug.issues))
        return std::nullopt;
      if (found == nullptr)
        found = &bug;
    }
  if (found == nullptr)
    return std::nullopt;
  return Known{found->id, found->issues, ""};
}

} // namespace

std::optional<Known> knownBug(const std::string &signature) {
  return onlyOne([&](const KnownBug &known) {
    return contains(known.signatures, signature);
  });
}

std::optional<Known> knownRoot(const Bug &bug) {
  if (bug.window.empty())
    return std::nullopt;
  const auto meet = [](const auto &releases, const auto &others) {
    return std::any_of(releases.begin(), releases.end(), [&](unsigned release) {
      return contains(others, release);
    });
  };
  return onlyOne([&](const KnownBug &known) {
    return contains(known.roots, bug.root) &&
           !meet(known.wrongIn, bug.window.right) &&
           !meet(known.rightIn, bug.window.wrong);
  });
}

std::vector<std::string> rootsOfKnown(const std::string &id) {
  const KnownBug *bug = bugNamed(id);
  return bug == nullptr ? std::vector<std::string>() : bug->roots;
}

std::vector<std::string> signaturesOfKnown(const std::string &id) {
  const KnownBug *bug = bugNamed(id);
  return bug == nullptr ? std::vector<std::string>() : bug->signatures;
}

} // namespace reports
