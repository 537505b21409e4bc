// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/portfolio.h"

#include <algorithm>

namespace runner {
namespace {

/// No features.
constexpr std::uint8_t none = straightLine;

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
    {"i2x4:ops=add+mul+select,consts=none",
     "sums and products, one of them in an arm"},
    {"i1x3:ops=select+freeze+phi,graph=thread,args=2",
     "poison through select, freeze and phi: threading"},
    {"i2x4:ops=icmp+select+phi,graph=if,args=2,consts=two",
     "threading over comparisons"},
    {"i2x3:ops=icmp+select+phi,frozen,graph=thread,args=2,consts=two",
     "threading over selects, with conditions that may be poison"},
    {"i2x2:ops=icmp+phi,blocks=4,switch,args=2", "switches"},
    {"i1x2:blocks=4,args=2", "two instructions in a diamond"},
    {"i2x2:blocks=4,loops,calls=willreturn", "code motion around calls"},
    {"i1x1:blocks=5,loops", "nested loops with an exit: unswitching"},
    {"i1x2:blocks=4,loops,args=2", "phis and conditions of loops"},
    {"i2x3:blocks=3,loops,args=2", "induction variables"},
    {"i8x3:mem=a1+p1,align,consts=two,poison,args=2",
     "an alloca and an argument: loads and stores, aligned or not"},
    {"i8x2:mem=a1+p1,align,graph=if,consts=two,poison,args=2",
     "accesses that a condition guards"},
    {"i8x3:mem=p1+p1,graph=diamond,ptr=phi+select,consts=two,args=2",
     "two pointers that may be the same, and one of them", 500},
    {"i8x3:mem=p2+p2,access=8+16,gep=inbounds,consts=two,args=2",
     "bytes and their halves"},
    {"i8x3:mem=a2+p2,intrinsics,gep,consts=two,args=1",
     "memcpy memmove memset beside accesses"},
    {"i8x3:mem=a1+p1,calls,graph=if,consts=two,args=2",
     "accesses around calls"},
    {"i8x2:mem=a1+p1,calls=willreturn,intrinsics,"
     "attrs=noalias+dereferenceable,consts=none,args=0",
     "copies of what a call writes"},
    {"i8x2:mem=a1+p1,calls,intrinsics,attrs=noundef+dereferenceable+noalias+"
     "writable+dead_on_unwind,consts=none,args=0",
     "the same for results in memory"},
    {"i8x2:mem=p1,calls=align,ptr=icmp,null,consts=two,args=1",
     "what a call says of its arguments"},
    {"i8x2:mem=a2+p2+p2,intrinsics,consts=few,args=0", "copies of copies"},
    {"i8x3:mem=a1+a1,lifetime,intrinsics,consts=two,args=1",
     "lifetimes of allocas"},
    {"i8x3:mem=p1+p1,attrs=noalias+readonly+dereferenceable,consts=two,args=1",
     "what arguments promise", 100},
    {"i8x3:mem=p1,align,graph=loop,consts=two,args=2", "accesses in a loop"},
    {"i8x2:mem=p1+p1,gep=inbounds,ptr=icmp+select,null,consts=two,args=2",
     "comparisons of pointers"},
    {"v2i2x1:insert,shuffle,index,undef,poison,consts=lanes",
     "single instructions, lanes that are undef or poison"},
    {"v2i2x2", "pairs over vectors of two lanes"},
    {"v2i2x2:shuffle,insert,consts=few,args=2", "lanes moved"},
    {"v2i2x2:bitcast,reduce,insert,index,consts=lanes,poison,args=2",
     "vectors as integers, poison in a lane"},
    {"v2i2x2:modern,bitcast,consts=few,args=2", "disjoint and nneg in lanes"},
    {"v2i2x2:shuffle,undef,consts=few,args=2", "casts and lanes moved", 100},
    {"v2i2x3:insert,consts=two,args=1", "scalars in lanes"},
};

constexpr HuntPipeline pipelines[] = {
    {"instcombine", straightLine, none, 10, 11, "peepholes"},
    {"reassociate", straightLine, memory, 2, 5, "order of sums and products"},
    {"gvn", straightLine, none, 3, 9, "equal values, with branches and loops"},
    {"newgvn", straightLine, none, 2, 12, "equal values, the other way"},
    {"early-cse", straightLine, none, 1, 5, "equal values in one walk"},
    {"instsimplify", straightLine, none, 1, 5, "folds to what is there"},
    {"sccp", straightLine, memory, 2, 7, "constants and ranges over branches"},
    {"correlated-propagation", straightLine, memory, 3, 6, "flags from ranges"},
    {"constraint-elimination", straightLine, memory, 2, 7,
     "comparisons implied"},
    {"nary-reassociate", straightLine, memory | vectors, 1, 8,
     "sums shared, by SCEV"},
    {"aggressive-instcombine", straightLine, none, 1, 6, "peepholes over more"},
    {"bdce", straightLine, memory, 1, 6, "bits that nobody demands"},
    {"slsr", straightLine, memory | vectors, 1, 6,
     "strength of multiplications"},
    {"simplifycfg", branches, none, 6, 9, "branches and phis to selects"},
    {"jump-threading", branches, none, 6, 10, "edges past known conditions"},
    {"flatten-cfg", branches, memory, 1, 6, "two branches to one"},
    {"dfa-jump-threading", branches, memory, 1, 8, "switches in loops"},
    {"speculative-execution", branches, none, 1, 6, "hoisting out of branches"},
    {"sink", branches, none, 1, 6, "down into branches"},
    {"licm", loops, none, 4, 15, "out of loops"},
    {"indvars", loops, memory, 4, 20, "induction variables, exits"},
    {"loop-mssa(simple-loop-unswitch<nontrivial>)", loops, none, 4, 17,
     "branches out of loops"},
    {"loop-rotate", loops, none, 1, 15, "loops to do-while"},
    {"loop-deletion", loops, memory, 1, 13, "loops without a result"},
    {"loop-unroll", loops, none, 1, 20, "known trip counts"},
    {"mem2reg", memory, none, 2, 8, "allocas to values"},
    {"sroa", memory, none, 4, 12, "allocas to parts and values"},
    {"early-cse<memssa>", memory, none, 2, 10, "equal values of memory"},
    {"dse", memory, none, 5, 11, "stores that nobody reads"},
    {"memcpyopt", memory, none, 4, 10, "memcpy and memset of each other"},
    {"gvn-hoist", memory | branches, none, 1, 12, "accesses up"},
    {"gvn-sink", memory | branches, none, 1, 10, "accesses down"},
    {"mldst-motion", memory | branches, none, 1, 10,
     "loads up and stores down a diamond"},
    {"loop-load-elim", memory | loops, none, 1, 20,
     "loads of what the iteration before stored"},
    {"loop-idiom", memory | loops, none, 2, 18, "loops to memset and memcpy"},
    {"tailcallelim", memory, none, 1, 8, "calls that need no frame"},
    {"function-attrs", memory, none, 2, 12, "attributes from a body"},
    {"attributor", memory, none, 1, 60, "attributes from more than a body"},
    {"vector-combine", vectors, none, 5, 14, "vector and scalar operations"},
    {"scalarizer", vectors, none, 1, 10, "vectors to their lanes"},
    {"default<O2>", straightLine, none, 3, 140, "passes in each other's hands"},
};

} // namespace

std::span<const HuntSpace> huntSpaces() { return spaces; }
std::span<const HuntPipeline> huntPipelines() { return pipelines; }

std::uint8_t featuresOf(std::string_view spec) {
  const auto says = [&](std::string_view word) {
    return spec.find(word) != std::string_view::npos;
  };
  std::uint8_t features = straightLine;
  if (says("blocks=") || says("graph="))
    features |= branches;
  if (says("loops") || says("graph=loop") || says("graph=nested"))
    features |= loops;
  if (says("mem="))
    features |= memory;
  if (spec.starts_with("v"))
    features |= vectors;
  return features;
}

HuntPipeline pipelineRow(std::string_view passes) {
  for (const HuntPipeline &row : pipelines)
    if (row.passes == passes)
      return row;
  constexpr double onePass = 10;
  constexpr double manyPasses = 140;
  const bool isLong = passes.find("default<") != std::string_view::npos;
  return {passes, straightLine, none, 1, isLong ? manyPasses : onePass, ""};
}

bool goTogether(const HuntPipeline &pipeline, std::uint8_t features) {
  return (features & pipeline.needs) == pipeline.needs &&
         (features & pipeline.ignores) == 0;
}

double costOf(const HuntPipeline &pipeline, std::uint8_t features,
              std::string_view spec) {
  constexpr double ofBranches = 2;
  constexpr double ofLoops = 3;
  constexpr double ofMemory = 5;
  double cost = pipeline.microseconds;
  if ((features & loops) != 0)
    cost *= ofLoops;
  else if ((features & branches) != 0)
    cost *= ofBranches;
  if ((features & memory) != 0)
    cost *= ofMemory;
  for (const HuntSpace &row : spaces)
    if (row.spec == spec)
      cost += row.microseconds;
  return cost;
}

} // namespace runner
