// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/file_corpus.h"

#include "runner/run_lines.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace runner {
namespace {

namespace fs = std::filesystem;
using corpus::Error;
using corpus::Result;

struct File {
  std::string path;
  std::string name; ///< short, for messages and findings
  bool isNamed;     ///< by the user, not by a folder
};

/// Appends the .ll and .bc files below `folder`, sorted.
void listFolder(const std::string &folder, std::vector<File> &files,
                std::vector<LeftOut> &unreadable) {
  std::vector<fs::path> pending = {folder};
  std::vector<File> found;
  while (!pending.empty()) {
    const fs::path current = std::move(pending.back());
    pending.pop_back();
    std::error_code error;
    fs::directory_iterator entry(current, error);
    for (; !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const fs::path &path = entry->path();
      std::error_code ignored;
      if (entry->is_directory(ignored) && !entry->is_symlink(ignored))
        pending.push_back(path);
      else if (path.extension() == ".ll" || path.extension() == ".bc")
        found.push_back(
            {path.string(), path.lexically_relative(folder).string(), false});
    }
    if (error)
      unreadable.push_back({current.string(), error.message()});
  }
  std::sort(found.begin(), found.end(),
            [](const File &a, const File &b) { return a.path < b.path; });
  files.insert(files.end(), found.begin(), found.end());
}

/// The message without what names the place, so that the same is the same in
/// all files.
std::string withoutPlace(const std::string &message) {
  constexpr std::string_view mark = ": error: ";
  const std::size_t at = message.find(mark);
  return at == std::string::npos ? message : message.substr(at + mark.size());
}

class Builder {
public:
  Builder(corpus::ProgramReader &reader, bool pipelinesFromFile)
      : reader_(reader), pipelinesFromFile_(pipelinesFromFile) {}

  std::optional<Error> add(const File &file, bool failOnUnreadable) {
    ++made_.report.files;
    auto functions = reader_.read(file.path, corpus::Reading::toRun);
    if (!functions) {
      if (file.isNamed || failOnUnreadable)
        return functions.error();
      made_.report.unreadable.push_back(
          {file.name, withoutPlace(functions.error().message)});
      return std::nullopt;
    }
    const std::uint64_t begin = made_.programs.size();
    for (corpus::ReadFunction &function : *functions)
      add(fmt::format("{}:@{}", file.name, function.name), function);
    if (pipelinesFromFile_)
      assign(file, begin);
    return std::nullopt;
  }

  CorpusReport &report() { return made_.report; }
  FileCorpus take() { return std::move(made_); }

private:
  void add(std::string name, corpus::ReadFunction &function) {
    ++made_.report.functions;
    for (const std::string &what : function.leftOut)
      made_.report.readWithout.push_back({name, what});
    if (auto *program = std::get_if<corpus::Program>(&function.body))
      made_.programs.push_back({std::move(name), std::move(*program)});
    else
      made_.report.unsupported.push_back(
          {std::move(name),
           std::get<corpus::Unsupported>(function.body).reason});
  }

  /// Gives the functions from `begin` on to the pipelines of their file.
  void assign(const File &file, std::uint64_t begin) {
    std::ifstream stream(file.path, std::ios::binary);
    const RunLines lines =
        parseRunLines(std::string{std::istreambuf_iterator<char>(stream), {}});
    const std::uint64_t end = made_.programs.size();
    if (lines.pipelines.empty()) {
      const std::string reason = lines.refused.empty()
                                     ? "no RUN line of opt with -passes="
                                     : lines.refused.front();
      for (std::uint64_t i = begin; i < end; ++i)
        made_.report.notRun.push_back({made_.programs[i].name, reason});
    }
    if (begin == end)
      return;
    for (const Pipeline &pipeline : lines.pipelines) {
      auto &groups = made_.groups;
      auto group =
          std::find_if(groups.begin(), groups.end(), [&](const auto &each) {
            return each.pipeline == pipeline;
          });
      if (group == groups.end())
        group = groups.insert(groups.end(), {pipeline, {}});
      group->functions.push_back({begin, end});
    }
  }

  corpus::ProgramReader &reader_;
  bool pipelinesFromFile_;
  FileCorpus made_;
};

} // namespace

std::vector<LeftOutFor> byReason(const std::vector<LeftOut> &all) {
  std::vector<LeftOutFor> reasons;
  std::unordered_map<std::string_view, std::size_t> indexOf;
  for (const LeftOut &one : all) {
    const auto [entry, isNew] = indexOf.emplace(one.reason, reasons.size());
    if (isNew)
      reasons.push_back({one.reason, 0, one.name});
    ++reasons[entry->second].count;
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const LeftOutFor &a, const LeftOutFor &b) {
                     return a.count > b.count;
                   });
  return reasons;
}

Result<FileCorpus> readFileCorpus(const std::vector<std::string> &arguments,
                                  corpus::ProgramReader &reader,
                                  bool pipelinesFromFile,
                                  bool failOnUnreadable) {
  Builder builder(reader, pipelinesFromFile);
  CorpusReport &report = builder.report();
  for (const std::string &argument : arguments) {
    std::vector<File> files;
    std::error_code error;
    if (fs::is_directory(argument, error))
      listFolder(argument, files, report.unreadable);
    else
      files.push_back({argument, fs::path(argument).filename().string(), true});
    if (failOnUnreadable && !report.unreadable.empty())
      return Error{fmt::format("{}: {}", report.unreadable.front().name,
                               report.unreadable.front().reason)};
    if (files.empty())
      return Error{
          fmt::format("{}: no .ll or .bc files in this folder", argument)};
    for (const File &file : files)
      if (auto failed = builder.add(file, failOnUnreadable))
        return std::move(*failed);
  }
  FileCorpus made = builder.take();
  if (made.programs.empty() || (pipelinesFromFile && made.groups.empty())) {
    for (const auto &[list, what] :
         {std::pair(&made.report.notRun, "names no pipeline"),
          std::pair(&made.report.unsupported, "is out of scope"),
          std::pair(&made.report.unreadable, "cannot be read")})
      if (!list->empty())
        return Error{fmt::format("no function to run; {} {}: {}",
                                 list->front().name, what,
                                 list->front().reason)};
    return Error{
        fmt::format("{}: no function with a body to run", arguments.front())};
  }
  return made;
}

} // namespace runner
