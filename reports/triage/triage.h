// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the findings of a campaign to its bugs: blame the pass, reduce the
// function, sign what is left, and put equal signatures together, over
// pipelines, releases and semantics. The same findings give the same bugs in
// the same order, however they came into the database.
// Threads: one thread.
#pragma once

#include "corpus/store/store.h"
#include "reports/triage/bug.h"
#include "reports/triage/subject.h"
#include "runner/command.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace reports {

/// What triage looks at, and how much of it.
struct TriageOptions {
  /// Releases of the window; without any, bugs are not examined any further.
  std::vector<unsigned> releases;
  /// Of each row only one form is examined.
  bool examinesRows = false;
  /// Bugs seen before, by id, and where; those of corpus/known go without
  /// saying.
  std::map<std::string, std::string> known;
  /// At most so many findings of each lane and column are looked at: of each
  /// bucket one before a second of any. Then there are at least so many bugs.
  std::uint64_t findings = std::numeric_limits<std::uint64_t>::max();
  /// The same of each semantics beside the campaign's first, where LLVM's
  /// promises end and findings are many. Bugs that only those show are then not
  /// examined any further.
  std::optional<std::uint64_t> findingsBeside;
  /// Findings that have a bug keep it, as the store says, and their functions
  /// are not reduced again.
  bool resumes = false;
  /// What hangs or eats memory waits for another triage.
  bool leavesDear = false;
  /// What may be news in a finding, or nothing. Where there is this, only the
  /// first of each bucket is asked, of several with one answer the first is
  /// looked at, and that until there are `findings` bugs.
  std::function<std::optional<std::string>(const std::string &passes,
                                           const corpus::Finding &finding)>
      newsIn;
  /// True ends triage at the next step: what is found out by then is saved, and
  /// the other findings have no bug.
  std::function<bool()> shouldStop;
  /// So many more bugs whose widths, repair and flags are looked for.
  std::size_t examined = std::numeric_limits<std::size_t>::max();
  /// Is told what goes on where that takes long, and what was left out.
  std::function<void(const std::string &)> say;
};
/// What `run` does: all installed releases, less work than the campaign was,
/// messages to stderr.
TriageOptions defaultTriage();

/// Makes bugs of the kept findings and saves them in the store. What was found
/// out before about a bug with the same function is not asked again. Fails when
/// a release of the campaign is not installed here, or the store cannot be
/// written.
corpus::Result<std::vector<Bug>> triage(corpus::Store &store,
                                        const Subjects &subjects,
                                        const TriageOptions &options = {});

/// Whether a finding that triage would look at has no bug.
bool hasWork(const corpus::Store &store, const TriageOptions &options);

/// The bugs in the store; triages first when it has work.
corpus::Result<std::vector<Bug>> bugsOf(corpus::Store &store,
                                        const Subjects &subjects,
                                        const TriageOptions &options = {});

/// What main lends to `irsieve run`.
corpus::Result<std::vector<runner::BugLine>>
triageForRun(corpus::Store &store, const std::function<bool()> &shouldStop);

} // namespace reports
