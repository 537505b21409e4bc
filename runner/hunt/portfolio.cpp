// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/portfolio.h"

#include <algorithm>

namespace runner {
namespace {

// Spaces of the same pipeline are tried in this order first.
constexpr HuntSpace spaces[] = {
    {"i1x2", "all pairs of i1 instructions: overflow at once"},
    {"i2x2", "all pairs: every peephole of two instructions"},
    {"i1x1:blocks=3", "all conditional jumps around one instruction"},
    {"i2x1:blocks=3,loops", "all smallest loops"},
    {"i1x1:blocks=4", "all diamonds: speculation, threading"},
    {"i1x1:blocks=4,calls,args=2", "effects in branches"},
    {"i1x1:blocks=4,loops,args=1", "loops in loops"},
    {"i4x2", "constants that are not 0, 1, -1, INT_MIN"},
    {"i2x2:modern", "disjoint, nneg, samesign, trunc nuw nsw"},
    {"i2x2:minmax", "smin smax umin umax abs"},
    {"i2x2:types=1+2+4", "casts between three widths"},
    {"i4x3", "three instructions, and constants of each kind"},
    {"i2x3", "three instructions over i2"},
    {"i1x3", "three instructions over i1"},
    {"i3x3:args=2,ops=add+sub+mul+shl+srem+sdiv+select+icmp",
     "arithmetic with and without a sign"},
    {"i2x3:blocks=3,args=2", "arithmetic in and behind a branch"},
    {"i1x3:ops=select+freeze+phi,blocks=5,args=2,consts=none",
     "poison through select, freeze and phi: threading"},
    {"i1x4:ops=icmp+select+freeze+phi,blocks=5,args=2",
     "threading over comparisons"},
    {"i2x2:ops=icmp+phi,blocks=4,switch,args=2", "switches"},
    {"i1x2:blocks=4,args=2", "two instructions in a diamond"},
    {"i2x2:blocks=4,loops,calls=willreturn", "code motion around calls"},
    {"i1x1:blocks=5,loops", "nested loops with an exit: unswitching"},
    {"i1x2:blocks=4,loops,args=2", "phis and conditions of loops"},
    {"i2x3:blocks=3,loops,args=2", "induction variables"},
};

constexpr HuntPipeline pipelines[] = {
    {"instcombine", straightLine, 10, 11, "peepholes"},
    {"reassociate", straightLine, 2, 5, "order of sums and products"},
    {"gvn", straightLine, 3, 9, "equal values, with branches and loops"},
    {"newgvn", straightLine, 2, 12, "equal values, the other way"},
    {"early-cse", straightLine, 1, 5, "equal values in one walk"},
    {"instsimplify", straightLine, 1, 5, "folds to what is there"},
    {"sccp", straightLine, 2, 7, "constants and ranges over branches"},
    {"correlated-propagation", straightLine, 3, 6, "flags from ranges"},
    {"constraint-elimination", straightLine, 2, 7, "comparisons implied"},
    {"nary-reassociate", straightLine, 1, 8, "sums shared, by SCEV"},
    {"aggressive-instcombine", straightLine, 1, 6, "peepholes over more"},
    {"bdce", straightLine, 1, 6, "bits that nobody demands"},
    {"slsr", straightLine, 1, 6, "strength of multiplications"},
    {"simplifycfg", branches, 6, 9, "branches and phis to selects"},
    {"jump-threading", branches, 6, 10, "edges past known conditions"},
    {"flatten-cfg", branches, 1, 6, "two branches to one"},
    {"dfa-jump-threading", branches, 1, 8, "switches in loops"},
    {"speculative-execution", branches, 1, 6, "hoisting out of branches"},
    {"sink", branches, 1, 6, "down into branches"},
    {"licm", loops, 4, 15, "out of loops"},
    {"indvars", loops, 4, 20, "induction variables, exits"},
    {"loop-mssa(simple-loop-unswitch<nontrivial>)", loops, 4, 17,
     "branches out of loops"},
    {"loop-rotate", loops, 1, 15, "loops to do-while"},
    {"loop-deletion", loops, 1, 13, "loops without a result"},
    {"loop-unroll", loops, 1, 20, "known trip counts"},
    {"default<O2>", straightLine, 3, 140, "passes in each other's hands"},
};

} // namespace

std::span<const HuntSpace> huntSpaces() { return spaces; }
std::span<const HuntPipeline> huntPipelines() { return pipelines; }

std::uint8_t featuresOf(std::string_view spec) {
  std::uint8_t features = straightLine;
  if (spec.find("blocks=") != std::string_view::npos)
    features |= branches;
  if (spec.find("loops") != std::string_view::npos)
    features |= loops;
  return features;
}

HuntPipeline pipelineRow(std::string_view passes) {
  for (const HuntPipeline &row : pipelines)
    if (row.passes == passes)
      return row;
  constexpr double onePass = 10;
  constexpr double manyPasses = 140;
  const bool isLong = passes.find("default<") != std::string_view::npos;
  return {passes, straightLine, 1, isLong ? manyPasses : onePass, ""};
}

bool goTogether(const HuntPipeline &pipeline, std::uint8_t features) {
  return (features & pipeline.needs) == pipeline.needs;
}

double costOf(const HuntPipeline &pipeline, std::uint8_t features) {
  constexpr double ofBranches = 2;
  constexpr double ofLoops = 3;
  if ((features & loops) != 0)
    return ofLoops * pipeline.microseconds;
  return (features & branches) != 0 ? ofBranches * pipeline.microseconds
                                    : pipeline.microseconds;
}

} // namespace runner
