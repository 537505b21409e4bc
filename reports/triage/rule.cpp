// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/rule.h"

#include "checker/rules/generalise.h"

#include <array>

namespace reports {

std::string ruleText(const Bug &bug) {
  const auto semantics = checker::parseSemantics(bug.checkedUnder);
  if (!bug.target || !semantics)
    return "";
  checker::rules::ProofLimits limits;
  limits.check.smt.resources = 500'000;
  limits.seconds = 3;
  checker::rules::Prover prover(limits);
  const std::array<checker::rules::Rewrite, 1> seen = {
      {{bug.source, *bug.target,
        bug.repair ? std::optional(bug.repair->target) : std::nullopt}}};
  const auto rule = checker::rules::generalise(seen, *semantics, prover);
  return rule ? toText(*rule) : "";
}

} // namespace reports
