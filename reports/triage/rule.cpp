// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/rule.h"

#include "checker/rules/generalise.h"

#include <array>

namespace reports {
namespace {

/// With the `ret`: of more a rule is long, and takes seconds to prove, which is
/// minutes for the page of a hunt.
constexpr std::size_t maximumInstructions = 5;

} // namespace

std::string ruleText(const Bug &bug) {
  const auto semantics = checker::parseSemantics(bug.checkedUnder);
  if (!bug.target || !semantics ||
      bug.source.instructions.size() > maximumInstructions)
    return "";
  checker::rules::ProofLimits limits;
  // In work: a report says the same whatever else the machine does. Time only
  // ends what hardly a bug needs: it is none of a hunt's budget.
  limits.check.smt.resources = 100'000;
  limits.maximumTypings = 2'100; // all of two open types, one the wider
  limits.allSeconds = 10;
  checker::rules::Prover prover(limits);
  const std::array<checker::rules::Rewrite, 1> seen = {
      {{bug.source, *bug.target,
        bug.repair ? std::optional(bug.repair->target) : std::nullopt}}};
  const auto rule = checker::rules::generalise(seen, *semantics, prover);
  return rule ? toText(*rule) : "";
}

} // namespace reports
