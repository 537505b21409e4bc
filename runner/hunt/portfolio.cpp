// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/portfolio.h"

#include <algorithm>
#include <bit>

namespace runner {
namespace {

/// No features.
constexpr std::uint8_t none = straightLine;
constexpr std::uint8_t inLoops = branches | loops;

// Of those that one slice does not end, the first are tried first.
constexpr HuntSpace spaces[] = {
    {"i1x2", "all pairs of i1 instructions: overflow at once", 2},
    {"i2x2", "all pairs: every peephole of two instructions", 1},
    {"i1x1:blocks=3", "all conditional jumps around one instruction", 18},
    {"i2x1:blocks=3,loops", "all smallest loops", 20},
    {"i1x1:blocks=4", "all diamonds: speculation, threading", 5},
    {"i1x1:blocks=4,calls,args=2", "effects in branches", 4},
    {"i2x1:blocks=4,undef,args=1", "undef in phis", 5},
    {"i1x1:blocks=4,loops,args=1", "loops in loops", 5},
    {"i4x2", "constants that are not 0, 1, -1, INT_MIN", 3},
    {"i2x2:modern", "disjoint, nneg, samesign, trunc nuw nsw", 1},
    {"i2x2:minmax", "smin smax umin umax abs", 4},
    {"i2x2:types=1+2+4", "casts between three widths", 2},
    {"i4x3", "three instructions, and constants of each kind", 3},
    {"i2x3", "three instructions over i2", 2},
    {"i1x3", "three instructions over i1", 1},
    {"i3x3:args=2,ops=add+sub+mul+shl+srem+sdiv+select+icmp",
     "arithmetic with and without a sign", 2},
    {"i2x2:assume,args=2", "what is assumed", 2},
    {"i2x3:ops=assume+icmp+phi,graph=diamond,args=2,consts=two",
     "what one side of a branch assumes", 5},
    {"i2x3:blocks=3,args=2", "arithmetic in and behind a branch", 4},
    {"i2x4:ops=add+mul+select,consts=none",
     "sums and products, one of them in an arm", 1},
    {"i1x3:ops=select+freeze+phi,graph=thread,args=2",
     "poison through select, freeze and phi: threading", 6},
    {"i2x4:ops=icmp+select+phi,graph=if,args=2,consts=two",
     "threading over comparisons", 18},
    {"i2x3:ops=icmp+select+phi,frozen,graph=thread,args=2,consts=two",
     "threading over selects, with conditions that may be poison", 13},
    {"i2x2:ops=icmp+phi,blocks=4,switch,args=2", "switches", 1},
    {"i2x2:ops=icmp+phi,blocks=4,args=1",
     "a value that is compared again and again", 2},
    {"i2x2:blocks=3,args=2", "two instructions on two sides", 4},
    {"i2x3:ops=add+shl+lshr+phi,graph=diamond,args=2,consts=two",
     "the same instruction on both sides", 4},
    {"i1x2:blocks=4,args=2", "two instructions in a diamond", 3},
    {"i2x2:ops=add+udiv+icmp,blocks=4,args=2,consts=two",
     "what one branch guards, and the one behind it", 4},
    {"i2x2:blocks=4,loops,calls=willreturn", "code motion around calls", 40},
    {"i1x1:blocks=5,loops", "nested loops with an exit: unswitching", 100},
    {"i1x2:blocks=4,loops,args=2", "phis and conditions of loops", 40},
    {"i2x3:blocks=3,loops,args=2", "induction variables", 910},
    {"i2x4:ops=and+icmp+shl+phi,graph=loop,args=1,consts=two",
     "a loop that shifts, and one that counts by it", 20},
    {"i2x3:ops=add+mul+phi,graph=loop,args=2,consts=none",
     "products of what a loop leaves alone", 90},
    {"i2x3:ops=add+sub+icmp+phi,graph=loop,args=1,consts=two",
     "sums in a loop, compared", 50},
    {"i2x4:ops=icmp+and+phi,graph=loop,args=2,consts=none",
     "two comparisons in a loop", 200},
    {"i8x3:mem=a1+p1,align,consts=two,poison,args=2",
     "an alloca and an argument: loads and stores, aligned or not", 5},
    {"i8x2:mem=a1+p1,align,graph=if,consts=two,poison,args=2",
     "accesses that a condition guards", 40},
    {"i8x3:mem=p1+p1,graph=diamond,ptr=phi+select,consts=two,args=2",
     "two pointers that may be the same, and one of them", 700},
    {"i8x3:mem=a1+a1,graph=diamond,ptr=phi+select,consts=two,args=2",
     "one of two allocas", 60},
    {"i8x4:mem=a2+a2,gep=inbounds,ptr=phi+select,graph=if,consts=none,args=1",
     "one of two allocas, and what is inside", 1300},
    {"i8x3:mem=p2+p2,access=8+16,gep=inbounds,consts=two,args=2",
     "bytes and their halves", 30},
    {"i8x4:mem=a2,access=8+16,gep,consts=two,args=1",
     "an alloca that is accessed whole and by halves", 500},
    {"i8x4:mem=a2+a2,access=8+16,gep,consts=none,args=0",
     "copies of halves from alloca to alloca", 1500},
    {"i8x4:mem=a2,access=8+16+2x8,gep,consts=none,args=2",
     "an alloca that is an integer and a vector", 2300},
    {"i8x4:mem=a2+a2,access=8+16+2x8,gep,consts=none,args=0",
     "copies of vectors from alloca to alloca", 3400},
    {"i8x3:mem=a2,access=8+2x8,gep=inbounds,graph=diamond,ptr=phi+select,"
     "consts=none,args=1",
     "a vector behind one of two addresses", 1800},
    {"i8x3:mem=p2,access=8+16+2x8,gep,consts=none,args=1",
     "vectors and their lanes", 2000},
    {"i8x3:mem=a2+a2,intrinsics,access=8+16,calls=argmem,consts=few,args=0",
     "copies of an alloca that a call was given", 300},
    {"i8x3:mem=a2+p2,intrinsics,gep,consts=two,args=1",
     "memcpy memmove memset beside accesses", 500},
    {"i8x3:mem=a1+p1,calls,graph=if,consts=two,args=2", "accesses around calls",
     1600},
    {"i8x2:mem=a1+p1,calls=willreturn,intrinsics,"
     "attrs=noalias+dereferenceable,consts=none,args=0",
     "copies of what a call writes", 120},
    {"i8x2:mem=a1+p1,calls,intrinsics,attrs=noundef+dereferenceable+noalias+"
     "writable+dead_on_unwind,consts=none,args=0",
     "the same for results in memory", 110},
    {"i8x3:mem=a1+p1,intrinsics,calls=noalias+readonly+captures,consts=none,"
     "args=0",
     "copies that a call only reads", 150},
    {"i8x2:mem=p1,calls=align,ptr=icmp,null,consts=two,args=1",
     "what a call says of its arguments", 150},
    {"i8x2:mem=p1,calls=nonnull,ptr=icmp,null,consts=two,args=1",
     "the same for null", 150},
    {"i8x3:mem=p1,assume,ptr=icmp,null,consts=none,args=1",
     "what is assumed of pointers", 150},
    {"i8x2:mem=p1,index,ptr=ret,consts=two,args=1",
     "pointers beside what is accessed", 150},
    {"i8x2:mem=p1,gep=nuw,index,ptr=icmp,consts=two,args=0",
     "addresses compared with each other", 150},
    {"i8x3:mem=p1,gep,ptr=icmp,null,consts=none,args=1",
     "addresses compared with null", 150},
    {"i8x3:mem=p1,gep=inbounds+nuw,index,ptr=icmp,graph=if,null,consts=none,"
     "args=1",
     "comparisons of addresses that imply each other", 900},
    {"i8x2:mem=a2+p2+p2,intrinsics,consts=few,args=0", "copies of copies", 330},
    {"i8x3:mem=a1+a1,lifetime,intrinsics,consts=two,args=1",
     "lifetimes of allocas", 18},
    {"i8x3:mem=p1+p1,attrs=noalias+readonly+dereferenceable,consts=two,args=1",
     "what arguments promise", 220},
    {"i8x3:mem=p1,align,graph=loop,consts=two,args=2", "accesses in a loop",
     290},
    {"i8x3:mem=p2,gep=inbounds,index,graph=loop,consts=none,args=1",
     "addresses that a loop computes", 2500},
    {"i8x4:mem=p2,gep=inbounds,index,graph=loop,consts=none,args=1",
     "and addresses from addresses", 4000},
    {"i8x2:mem=p1+p1,ptr=icmp+select+phi+ret,graph=loop,consts=none,args=1",
     "pointers that compare equal", 500},
    {"i8x4:mem=p1,calls=read,consts=two,args=1", "calls that only read, twice",
     100},
    {"i8x4:mem=p1+p1,calls=read+value+willreturn,graph=if,consts=none,args=1",
     "what calls return that only read", 2500},
    {"i8x3:mem=p1,calls=read+value+willreturn,graph=loop,consts=none,args=1",
     "the same in a loop", 19000},
    {"i8x3:mem=p1,calls=read+argmem+value+willreturn,graph=loop,consts=none,"
     "args=1",
     "and of calls that only read what they are given", 27000},
    {"i8x3:mem=a1,calls,graph=loop,consts=none,args=1",
     "an alloca in a loop with calls", 60000},
    {"i8x2:mem=p1+p1,gep=inbounds,ptr=icmp+select,null,consts=two,args=2",
     "comparisons of pointers", 300},
    {"v2i2x1:insert,shuffle,index,undef,poison,consts=lanes",
     "single instructions, lanes that are undef or poison", 20},
    {"v2i2x2", "pairs over vectors of two lanes", 4},
    {"v2i2x2:shuffle,insert,consts=few,args=2", "lanes moved", 30},
    {"v2i2x2:bitcast,reduce,insert,index,consts=lanes,poison,args=2",
     "vectors as integers, poison in a lane", 5},
    {"v2i2x2:modern,bitcast,consts=few,args=2", "disjoint and nneg in lanes",
     3},
    {"v2i2x2:shuffle,undef,consts=few,args=2", "casts and lanes moved", 190},
    {"v2i2x3:insert,consts=two,args=1", "scalars in lanes", 4},
};

constexpr HuntPipeline pipelines[] = {
    {"instcombine", straightLine, straightLine, none, 10, 3, "peepholes"},
    {"reassociate", straightLine, straightLine, memory, 2, 2,
     "order of sums and products"},
    {"gvn", straightLine, branches, none, 3, 3,
     "equal values, with branches and loops"},
    {"newgvn", straightLine, branches, none, 2, 3,
     "equal values, the other way"},
    {"early-cse", straightLine, straightLine, none, 1, 2,
     "equal values in one walk"},
    {"instsimplify", straightLine, straightLine, none, 1, 2,
     "folds to what is there"},
    {"sccp", straightLine, branches, none, 2, 2,
     "constants and ranges over branches"},
    {"correlated-propagation", straightLine, branches, none, 3, 3,
     "flags from ranges"},
    {"constraint-elimination", straightLine, branches, none, 2, 2,
     "comparisons implied"},
    {"nary-reassociate", straightLine, straightLine, memory | vectors, 1, 3,
     "sums shared, by SCEV"},
    {"aggressive-instcombine", straightLine, straightLine, none, 1, 2,
     "peepholes over more"},
    {"bdce", straightLine, straightLine, memory, 1, 2,
     "bits that nobody demands"},
    {"slsr", straightLine, straightLine, memory | vectors, 1, 3,
     "strength of multiplications"},
    {"simplifycfg", branches, branches, none, 5, 3,
     "branches and phis to selects"},
    {"simplifycfg<forward-switch-cond;switch-to-lookup;no-keep-loops;"
     "hoist-common-insts;sink-common-insts>",
     branches, branches, none, 3, 3,
     "the same as late in -O2: what both sides do"},
    {"jump-threading", branches, branches, none, 6, 3,
     "edges past known conditions"},
    {"flatten-cfg", branches, branches, memory, 1, 2, "two branches to one"},
    {"dfa-jump-threading", branches, inLoops, memory, 1, 2,
     "switches in loops"},
    {"speculative-execution", branches, branches, none, 1, 2,
     "hoisting out of branches"},
    {"sink", branches, branches, none, 1, 2, "down into branches"},
    {"licm", loops, inLoops, none, 4, 7, "out of loops"},
    {"indvars", loops, inLoops, none, 4, 9, "induction variables, exits"},
    {"loop-mssa(simple-loop-unswitch<nontrivial>)", loops, inLoops, none, 4, 14,
     "branches out of loops"},
    {"loop-rotate", loops, inLoops, none, 1, 10, "loops to do-while"},
    {"loop-deletion", loops, inLoops, memory, 1, 7, "loops without a result"},
    {"loop-unroll", loops, inLoops, none, 1, 5, "known trip counts"},
    {"mem2reg", memory, memory, none, 2, 3, "allocas to values"},
    {"sroa", memory, memory, none, 4, 3, "allocas to parts and values"},
    {"early-cse<memssa>", memory, memory, none, 2, 4, "equal values of memory"},
    {"dse", memory, memory, none, 5, 1, "stores that nobody reads"},
    {"memcpyopt", memory, memory, none, 4, 1,
     "memcpy and memset of each other"},
    {"gvn-hoist", memory | branches, memory | branches, none, 1, 5,
     "accesses up"},
    {"gvn-sink", memory | branches, memory | branches, none, 1, 2,
     "accesses down"},
    {"mldst-motion", memory | branches, memory | branches, none, 1, 2,
     "loads up and stores down a diamond"},
    {"loop-load-elim", memory | loops, memory | inLoops, none, 1, 3,
     "loads of what the iteration before stored"},
    {"loop-idiom", loops, inLoops, none, 2, 7,
     "loops to memset, memcpy and counts"},
    {"tailcallelim", memory, memory, none, 1, 3, "calls that need no frame"},
    {"function-attrs", memory, memory, none, 2, 7, "attributes from a body"},
    {"attributor", memory, memory, none, 1, 66,
     "attributes from more than a body"},
    {"attributor-light", memory, memory, none, 1, 55, "the same from less"},
    {"vector-combine", vectors, vectors, none, 5, 2,
     "vector and scalar operations"},
    {"scalarizer", vectors, vectors, none, 1, 4, "vectors to their lanes"},
    {"default<O2>", straightLine, branches, none, 3, 24,
     "passes in each other's hands"},
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
  constexpr double onePass = 3;
  constexpr double manyPasses = 24;
  const bool isLong = passes.find("default<") != std::string_view::npos;
  const double microseconds = isLong ? manyPasses : onePass;
  return {passes, straightLine, straightLine, none, 1, microseconds, ""};
}

bool goTogether(const HuntPipeline &pipeline, std::uint8_t features) {
  return (features & pipeline.needs) == pipeline.needs &&
         (features & pipeline.ignores) == 0;
}

unsigned distance(const HuntPipeline &pipeline, std::uint8_t features) {
  return static_cast<unsigned>(
      std::popcount(static_cast<unsigned>(features ^ pipeline.home)));
}

Cost costOf(const HuntPipeline &pipeline, std::uint8_t features,
            std::string_view spec) {
  constexpr double ofBranches = 2;
  constexpr double ofLoops = 4;
  Cost cost{pipeline.microseconds, 0};
  if ((features & loops) != 0)
    cost.function *= ofLoops;
  else if ((features & branches) != 0)
    cost.function *= ofBranches;
  for (const HuntSpace &row : spaces)
    if (row.spec == spec)
      cost.changed = row.microseconds;
  // Of no line: as of those that are like it.
  constexpr std::pair<unsigned, double> usual[] = {
      {memory, 200}, {loops, 50}, {branches, 5}, {straightLine, 3}};
  for (const auto &[feature, microseconds] : usual)
    if (cost.changed == 0 &&
        (feature == straightLine || (features & feature) != 0))
      cost.changed = microseconds;
  return cost;
}

} // namespace runner
