// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a finished campaign says for good: of all functions of a space, so many
// refine under this pipeline of this LLVM, and this is the digest of their
// outputs and verdicts. It holds all that another machine needs to run the
// same again, or a sample of its parts.
// Threads: pure functions.
#pragma once

#include "runner/campaign.h"

#include <string>
#include <vector>

namespace runner {

struct Certificate {
  /// Of one lane under one semantics.
  struct Entry {
    corpus::Tally tally;
    std::vector<corpus::Digest> parts; ///< as Selection::part() cuts them
  };

  CampaignIdentity campaign;
  std::vector<corpus::Lane> lanes;
  std::vector<std::vector<Entry>> entries; ///< by lane, then by column
};

/// Requires that the campaign of `store` is finished.
Certificate certificateOf(const CampaignIdentity &campaign,
                          const corpus::Store &store);

/// As docs/output.md says.
std::string toText(const Certificate &certificate);
/// Fails when there is no such file, or no certificate in it.
corpus::Result<Certificate> readCertificate(const std::string &path);

/// "LLVM 22.1.8", or "LLVM 22.1.8 (trunk)".
std::string optimizerText(const std::string &version, const Pipeline &pipeline);
/// The same of what resultEntry() gives.
std::string optimizerText(const Json &entry);
/// What `run`, certificates and their checks print of one lane under one
/// semantics: what was run, and the counts.
Json resultEntry(const CampaignIdentity &campaign,
                 const std::vector<corpus::Lane> &lanes, std::size_t lane,
                 std::size_t column, const corpus::Tally &tally);

} // namespace runner
