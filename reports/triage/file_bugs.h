// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs from where a user has them: an IR file and a pipeline, a database, or a
// bugs.json.
// Threads: one thread.
#pragma once

#include "corpus/program/reader.h"
#include "reports/triage/triage.h"
#include "runner/campaign.h"

namespace reports {

/// Sends the functions of `options.corpus` through the optimizer and triages
/// what is wrong; needs no database.
corpus::Result<std::vector<Bug>> bugsOfFiles(runner::CampaignOptions options,
                                             corpus::ProgramReader &reader);

/// Of bugs.json.
corpus::Result<std::vector<Bug>> readBugs(const std::string &path);

/// The bug whose id begins with `prefix`. `file` is a database or a bugs.json.
corpus::Result<Bug> findBug(const std::string &prefix, const std::string &file);

} // namespace reports
