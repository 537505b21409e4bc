// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the findings of a campaign to its bugs: blame the pass, reduce the
// function, sign what is left, and put equal signatures together, over
// pipelines, releases and semantics. The same findings give the same bugs in
// the same order, however they came into the database.
// Threads: one thread.
#pragma once

#include "corpus/store/store.h"
#include "reports/bug.h"
#include "reports/subject.h"
#include "runner/command.h"

#include <vector>

namespace reports {

/// Makes bugs of all kept findings and saves them in the store. Fails when a
/// release of the campaign is not installed here, or the store cannot be
/// written.
corpus::Result<std::vector<Bug>> triage(corpus::Store &store,
                                        const Subjects &subjects);

/// The bugs in the store; triages first when a finding has none.
corpus::Result<std::vector<Bug>> bugsOf(corpus::Store &store,
                                        const Subjects &subjects);

/// The same from a part of the findings: of each lane and semantics the lowest
/// rank, and a uniform sample up to `findings` of them. Enough to say that
/// there are at least so many bugs, where a hundred thousand findings would
/// take days.
corpus::Result<std::vector<Bug>> triageSample(corpus::Store &store,
                                              const Subjects &subjects,
                                              std::uint64_t findings);

/// What main lends to `irsieve run`.
corpus::Result<std::vector<runner::BugLine>> triageForRun(corpus::Store &store);

} // namespace reports
