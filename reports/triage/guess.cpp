// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/guess.h"

#include "checker/check.h"
#include "reports/triage/bug.h"
#include "reports/triage/fault.h"

#include <utility>

namespace reports {
namespace {

/// Nothing where these limits do not show that it is wrong.
std::string guess(Bug bug, const checker::Limits &limits,
                  checker::Engine engine) {
  checker::Checker checker(limits);
  bug.verdict = checker.check(bug.source, *bug.target,
                              *checker::parseSemantics(bug.checkedUnder),
                              checker::WantWitness::yes, engine);
  if (bug.verdict.word != checker::VerdictWord::wrong)
    return {};
  bug.kind = bug.verdict.kind;
  return faultOf(bug, checker, engine).key;
}

/// First without Z3, which takes a hundred times as long for what is right, and
/// is asked most often of that.
std::string guess(const corpus::Finding &finding,
                  const std::string &semantics) {
  auto source = corpus::decode(finding.source);
  auto target = corpus::decode(finding.target);
  if (!source || !target || finding.column == corpus::everyColumn)
    return finding.bucket;
  Bug bug;
  bug.source = std::move(*source);
  bug.target = std::move(*target);
  bug.checkedUnder = semantics;
  checker::Limits limits = checker::Limits::ofCampaign().quick();
  limits.referenceSteps = 50'000;
  std::string key = guess(bug, limits, checker::Engine::exhaustive);
  if (key.empty())
    key = guess(std::move(bug), limits, checker::Engine::automatic);
  return key.empty() ? finding.bucket : key;
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
