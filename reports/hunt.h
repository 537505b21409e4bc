// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bugs of several campaigns over one optimizer, as one list: a hunt's
// triage, and its report.
// Threads: one thread; triageSome() has threads of its own.
#pragma once

#include "reports/render/formats.h"
#include "reports/triage/guess.h"
#include "reports/triage/triage.h"
#include "runner/hunt/hunt.h"

#include <memory>
#include <string>
#include <vector>

namespace reports {

/// Triage of a hunt's findings as far as `shouldStop` lets it: a few of each
/// pipeline before many of any, first what no bug seems to explain, and what is
/// cheap to reduce; `threads` stores at a time (0: one for each core). What was
/// found out stays in the stores, and is not asked again; `guesses` is to be
/// the same from call to call. Never two threads at once ask `shouldStop`.
corpus::Result<runner::HuntBugs>
triageSome(const std::vector<corpus::Store *> &stores, runner::Wanted wanted,
           unsigned threads, Guesses &guesses,
           const std::function<bool()> &shouldStop);

/// Writes the certificates and bugs that the stores hold by now as one report:
/// each pipeline that looked at a space is a row. Each bug is once in it.
corpus::Result<Report>
reportOf(const std::vector<const corpus::Store *> &stores);

/// Opens the databases at `path`, a database or a hunt's folder.
corpus::Result<std::vector<corpus::Store>> openStores(const std::string &path);

} // namespace reports
