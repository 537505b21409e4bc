// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/guess.h"

#include "checker/check.h"
#include "reports/triage/bug.h"
#include "reports/triage/fault.h"

#include <utility>

namespace reports {
namespace {

std::string guess(const corpus::Finding &finding,
                  const std::string &semantics) {
  const auto kind = checker::parseKind(finding.kind);
  const auto meaning = checker::parseSemantics(semantics);
  auto source = corpus::decode(finding.source);
  if (!kind || !meaning || !source || finding.target.empty() ||
      finding.column == corpus::everyColumn)
    return finding.bucket;
  auto target = corpus::decode(finding.target);
  if (!target)
    return finding.bucket;
  checker::Checker checker(checker::Limits::ofCampaign().quick());
  Bug bug;
  bug.source = std::move(*source);
  bug.target = std::move(*target);
  bug.checkedUnder = semantics;
  bug.verdict = checker.check(bug.source, *bug.target, *meaning);
  if (bug.verdict.word != checker::VerdictWord::wrong)
    return finding.bucket;
  bug.kind = bug.verdict.kind;
  return faultOf(bug, checker).key;
}

} // namespace

std::string Guesses::of(const corpus::Finding &finding,
                        const std::string &semantics) {
  const std::tuple key(finding.source, finding.target, semantics);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = guesses_.find(key); known != guesses_.end())
      return known->second;
  }
  std::string text = guess(finding, semantics);
  const std::lock_guard lock(mutex_);
  return guesses_.emplace(key, std::move(text)).first->second;
}

} // namespace reports
