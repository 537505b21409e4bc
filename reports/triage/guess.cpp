// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/guess.h"

#include "checker/check.h"
#include "reports/triage/bug.h"
#include "reports/triage/fault.h"

#include <optional>
#include <utility>

namespace reports {
namespace {

/// Nothing where these limits do not show that it is wrong.
std::optional<std::string> guess(Bug bug, const checker::Limits &limits,
                                 checker::Engine engine) {
  checker::Checker checker(limits);
  bug.verdict = checker.check(bug.source, *bug.target,
                              *checker::parseSemantics(bug.checkedUnder),
                              checker::WantWitness::yes, engine);
  if (bug.verdict.word != checker::VerdictWord::wrong)
    return std::nullopt;
  bug.kind = bug.verdict.kind;
  return faultOf(bug, checker, engine).key;
}

/// First without Z3, which takes a hundred times as long for what is right, and
/// is asked most often of that.
std::string guess(const corpus::Finding &finding,
                  const std::string &semantics) {
  Bug bug;
  bug.source = storedProgram(finding.source);
  bug.target = storedProgram(finding.target);
  bug.checkedUnder = semantics;
  checker::Limits limits = checker::Limits::ofCampaign().quick();
  limits.referenceSteps = 50'000;
  auto key = guess(bug, limits, checker::Engine::exhaustive);
  if (!key)
    key = guess(std::move(bug), limits, checker::Engine::automatic);
  return key.value_or(finding.bucket);
}

} // namespace

std::string Guesses::of(const corpus::Finding &finding,
                        std::span<const std::string> semantics) {
  if (finding.column == corpus::everyColumn || finding.target.empty())
    return finding.bucket;
  const std::string &column =
      semantics[static_cast<std::size_t>(finding.column)];
  const std::tuple key(finding.source, finding.target, column);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = guesses_.find(key); known != guesses_.end())
      return known->second;
  }
  std::string text = guess(finding, column);
  const std::lock_guard lock(mutex_);
  return guesses_.emplace(key, std::move(text)).first->second;
}

} // namespace reports
