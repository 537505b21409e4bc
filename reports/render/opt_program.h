// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An `opt` program on a file, and what it made of the functions in there: what
// `git bisect run` and llvm-reduce want to know of a build. Its output is read
// by the newest worker.
// Threads: one thread.
#pragma once

#include "checker/check.h"
#include "corpus/program/reader.h"
#include "corpus/system/temporary_folder.h"
#include "runner/backend.h"

#include <optional>
#include <string>
#include <vector>

namespace reports {

/// Good, bad, or neither, with a line that says why.
struct OptVerdict {
  enum class Word : std::uint8_t { good, bad, cannotTell };
  Word word = Word::good;
  std::string reason;
};

/// What makes a function bad: this kind, or without one any kind at all. Where
/// a kind is asked for, another one is `cannotTell`.
struct OptQuestion {
  checker::Semantics semantics;
  std::optional<checker::Kind> kind;
};

/// One run of a pass, as -opt-bisect-limit counts them.
struct OptStep {
  unsigned index = 0;
  std::string name;
};

class OptProgram {
public:
  /// `path`: a file, or a name on PATH. `reader` outlives this.
  OptProgram(std::string path, corpus::ProgramReader &reader)
      : path_(std::move(path)), reader_(reader) {}

  /// `spellings` of the pipeline's passes: the first that opt takes counts.
  /// With a limit, passes behind it do not run.
  OptVerdict judge(const std::string &file, const runner::Pipeline &pipeline,
                   const std::vector<std::string> &spellings,
                   const OptQuestion &question,
                   std::optional<unsigned> limit = {});

  /// The step with which a file that is bad becomes so; nothing where it is
  /// not, or opt does not count its passes.
  std::optional<OptStep> culprit(const std::string &file,
                                 const runner::Pipeline &pipeline,
                                 const std::vector<std::string> &spellings,
                                 const OptQuestion &question);

private:
  enum class End : std::uint8_t { finished, refused, crashed, hung, missing };
  struct Ran {
    End end = End::finished;
    std::string message; ///< the first line of standard error
    std::vector<OptStep> steps;
  };
  Ran run(const std::string &file, const runner::Pipeline &pipeline,
          const std::string &passes, std::optional<int> limit);
  OptVerdict compare(const std::string &file, const OptQuestion &question);

  std::string path_;
  corpus::ProgramReader &reader_;
  corpus::TemporaryFolder folder_;
  checker::Checker checker_;
};

} // namespace reports
