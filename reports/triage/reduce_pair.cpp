// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/reduce_pair.h"

#include "corpus/program/canonical.h"
#include "reports/triage/reduce.h"

namespace reports {
namespace {

using corpus::Program;

/// Adds to `program` the parameters that only `other` has. False if they differ
/// in more than that.
bool alignParameters(Program &program, const Program &other) {
  const auto &theirs = other.signature.parameters;
  for (std::size_t i = program.signature.parameters.size(); i < theirs.size();
       ++i)
    program.addParameter(theirs[i].type);
  for (std::size_t i = 0; i < theirs.size(); ++i)
    if (program.signature.parameters[i].type != theirs[i].type)
      return false;
  return true;
}

bool align(Pair &pair) {
  return pair.source.signature.returnType == pair.target.signature.returnType &&
         alignParameters(pair.source, pair.target) &&
         alignParameters(pair.target, pair.source);
}

Pair canonical(const Pair &pair) {
  auto [source, target] = corpus::canonicalPair(pair.source, pair.target);
  return {std::move(source), std::move(target)};
}

/// One step from `pair` for which `shows` holds.
std::optional<Pair> smaller(const Pair &pair,
                            const std::function<bool(const Pair &)> &shows) {
  const auto accepted = [&](Pair &candidate) {
    return align(candidate) && shows(candidate);
  };
  const auto sources = reductions(pair.source, Arguments::kept);
  const auto targets = reductions(pair.target, Arguments::kept);
  for (const Step &step : sources)
    if (Pair candidate{step.program, pair.target}; accepted(candidate))
      return candidate;
  for (const Step &step : targets)
    if (Pair candidate{pair.source, step.program}; accepted(candidate))
      return candidate;
  for (const Step &source : sources) {
    if (Pair alone{source.program, pair.target}; align(alone))
      continue;
    for (const Step &target : targets)
      if (Pair candidate{source.program, target.program}; accepted(candidate))
        return candidate;
  }
  return std::nullopt;
}

} // namespace

Pair reducePair(Pair pair, const std::function<bool(const Pair &)> &shows) {
  while (auto next = smaller(pair, shows))
    pair = std::move(*next);
  const Pair form = canonical(pair);
  return shows(form) ? form : pair;
}

} // namespace reports
