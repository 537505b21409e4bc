// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/folds.h"

#include "corpus/program/graph.h"
#include "enumerate/expression.h"
#include "enumerate/file_space.h"
#include "enumerate/lack.h"
#include "enumerate/spec.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace enumerate {

using corpus::Error;
using corpus::Result;
using corpus::Type;

namespace {

constexpr std::string_view prefix = "folds:";

/// Where it makes a difference: a target that has small integers.
constexpr std::string_view native = "n2:4:8:16:32:64";

namespace lists {
#define FOLD(text, help) {text, help},
constexpr FoldInfo instcombine[] = {
#include "enumerate/folds/instcombine.def"
};
constexpr FoldInfo adce[] = {
#include "enumerate/folds/adce.def"
};
constexpr FoldInfo aggressiveInstcombine[] = {
#include "enumerate/folds/aggressive-instcombine.def"
};
constexpr FoldInfo bdce[] = {
#include "enumerate/folds/bdce.def"
};
constexpr FoldInfo constraintElimination[] = {
#include "enumerate/folds/constraint-elimination.def"
};
constexpr FoldInfo correlatedPropagation[] = {
#include "enumerate/folds/correlated-propagation.def"
};
constexpr FoldInfo correlatedPropagationMemory[] = {
#include "enumerate/folds/correlated-propagation-memory.def"
};
constexpr FoldInfo dfaJumpThreading[] = {
#include "enumerate/folds/dfa-jump-threading.def"
};
constexpr FoldInfo divRemPairs[] = {
#include "enumerate/folds/div-rem-pairs.def"
};
constexpr FoldInfo dseMemory[] = {
#include "enumerate/folds/dse-memory.def"
};
constexpr FoldInfo earlyCse[] = {
#include "enumerate/folds/early-cse.def"
};
constexpr FoldInfo earlyCseMemory[] = {
#include "enumerate/folds/early-cse-memory.def"
};
constexpr FoldInfo flattenCfg[] = {
#include "enumerate/folds/flatten-cfg.def"
};
constexpr FoldInfo gvn[] = {
#include "enumerate/folds/gvn.def"
};
constexpr FoldInfo gvnHoistMemory[] = {
#include "enumerate/folds/gvn-hoist-memory.def"
};
constexpr FoldInfo gvnMemory[] = {
#include "enumerate/folds/gvn-memory.def"
};
constexpr FoldInfo gvnSinkMemory[] = {
#include "enumerate/folds/gvn-sink-memory.def"
};
constexpr FoldInfo indvars[] = {
#include "enumerate/folds/indvars.def"
};
constexpr FoldInfo indvarsMemory[] = {
#include "enumerate/folds/indvars-memory.def"
};
constexpr FoldInfo indvarsNative[] = {
#include "enumerate/folds/indvars-native.def"
};
constexpr FoldInfo instcombineMemory[] = {
#include "enumerate/folds/instcombine-memory.def"
};
constexpr FoldInfo instcombinePhis[] = {
#include "enumerate/folds/instcombine-phis.def"
};
constexpr FoldInfo instcombinePhisNative[] = {
#include "enumerate/folds/instcombine-phis-native.def"
};
constexpr FoldInfo instsimplify[] = {
#include "enumerate/folds/instsimplify.def"
};
constexpr FoldInfo ipsccp[] = {
#include "enumerate/folds/ipsccp.def"
};
constexpr FoldInfo irce[] = {
#include "enumerate/folds/irce.def"
};
constexpr FoldInfo jumpThreading[] = {
#include "enumerate/folds/jump-threading.def"
};
constexpr FoldInfo jumpThreadingMemory[] = {
#include "enumerate/folds/jump-threading-memory.def"
};
constexpr FoldInfo licm[] = {
#include "enumerate/folds/licm.def"
};
constexpr FoldInfo licmMemory[] = {
#include "enumerate/folds/licm-memory.def"
};
constexpr FoldInfo loopBoundSplit[] = {
#include "enumerate/folds/loop-bound-split.def"
};
constexpr FoldInfo loopDeletion[] = {
#include "enumerate/folds/loop-deletion.def"
};
constexpr FoldInfo loopDeletionMemory[] = {
#include "enumerate/folds/loop-deletion-memory.def"
};
constexpr FoldInfo loopFlatten[] = {
#include "enumerate/folds/loop-flatten.def"
};
constexpr FoldInfo loopFusion[] = {
#include "enumerate/folds/loop-fusion.def"
};
constexpr FoldInfo loopIdiom[] = {
#include "enumerate/folds/loop-idiom.def"
};
constexpr FoldInfo loopIdiomMemory[] = {
#include "enumerate/folds/loop-idiom-memory.def"
};
constexpr FoldInfo loopInstsimplify[] = {
#include "enumerate/folds/loop-instsimplify.def"
};
constexpr FoldInfo loopLoadElimMemory[] = {
#include "enumerate/folds/loop-load-elim-memory.def"
};
constexpr FoldInfo loopReduce[] = {
#include "enumerate/folds/loop-reduce.def"
};
constexpr FoldInfo loopReduceNative[] = {
#include "enumerate/folds/loop-reduce-native.def"
};
constexpr FoldInfo loopRotate[] = {
#include "enumerate/folds/loop-rotate.def"
};
constexpr FoldInfo loopRotateMemory[] = {
#include "enumerate/folds/loop-rotate-memory.def"
};
constexpr FoldInfo loopSimplifycfg[] = {
#include "enumerate/folds/loop-simplifycfg.def"
};
constexpr FoldInfo loopUnroll[] = {
#include "enumerate/folds/loop-unroll.def"
};
constexpr FoldInfo loopUnrollRuntime[] = {
#include "enumerate/folds/loop-unroll-runtime.def"
};
constexpr FoldInfo mem2regMemory[] = {
#include "enumerate/folds/mem2reg-memory.def"
};
constexpr FoldInfo memcpyoptMemory[] = {
#include "enumerate/folds/memcpyopt-memory.def"
};
constexpr FoldInfo mldstMotionMemory[] = {
#include "enumerate/folds/mldst-motion-memory.def"
};
constexpr FoldInfo naryReassociate[] = {
#include "enumerate/folds/nary-reassociate.def"
};
constexpr FoldInfo newgvn[] = {
#include "enumerate/folds/newgvn.def"
};
constexpr FoldInfo newgvnMemory[] = {
#include "enumerate/folds/newgvn-memory.def"
};
constexpr FoldInfo reassociate[] = {
#include "enumerate/folds/reassociate.def"
};
constexpr FoldInfo sccp[] = {
#include "enumerate/folds/sccp.def"
};
constexpr FoldInfo simpleLoopUnswitch[] = {
#include "enumerate/folds/simple-loop-unswitch.def"
};
constexpr FoldInfo simpleLoopUnswitchMemory[] = {
#include "enumerate/folds/simple-loop-unswitch-memory.def"
};
constexpr FoldInfo simplifycfg[] = {
#include "enumerate/folds/simplifycfg.def"
};
constexpr FoldInfo simplifycfgLate[] = {
#include "enumerate/folds/simplifycfg-late.def"
};
constexpr FoldInfo simplifycfgLateMemory[] = {
#include "enumerate/folds/simplifycfg-late-memory.def"
};
constexpr FoldInfo simplifycfgLateNative[] = {
#include "enumerate/folds/simplifycfg-late-native.def"
};
constexpr FoldInfo simplifycfgMemory[] = {
#include "enumerate/folds/simplifycfg-memory.def"
};
constexpr FoldInfo sink[] = {
#include "enumerate/folds/sink.def"
};
constexpr FoldInfo sinkMemory[] = {
#include "enumerate/folds/sink-memory.def"
};
constexpr FoldInfo slsr[] = {
#include "enumerate/folds/slsr.def"
};
constexpr FoldInfo speculativeExecution[] = {
#include "enumerate/folds/speculative-execution.def"
};
constexpr FoldInfo sroaMemory[] = {
#include "enumerate/folds/sroa-memory.def"
};
constexpr FoldInfo tailcallelimMemory[] = {
#include "enumerate/folds/tailcallelim-memory.def"
};
#undef FOLD
} // namespace lists

/// Memory is of bytes.
bool takes(const FoldSet &set, Type type) {
  const bool hasMemory = (set.features & foldFeature::memory) != 0;
  return (!type.isVector() || set.word.empty()) &&
         (!hasMemory || type == Type::integer(8));
}

/// What a spec says behind the type, which is taken. Nothing where that is no
/// set.
const FoldSet *takeSet(std::string_view &spec) {
  const std::size_t colon = spec.rfind(':');
  if (colon == spec.npos)
    return &foldSets().front();
  for (const FoldSet &set : foldSets())
    if (!set.word.empty() && set.word == spec.substr(colon + 1)) {
      spec = spec.substr(0, colon);
      return &set;
    }
  return nullptr;
}

/// What a set says of the functions in it; flags that are newer than the oldest
/// release matter more than the rest.
std::uint8_t foldFeaturesOf(const corpus::Program &function) {
  using namespace foldFeature;
  std::uint8_t features = 0;
  for (const corpus::Instruction &instruction : function.instructions) {
    if (corpus::flagsSince(instruction.opcode, instruction.flags) >
        knownReleases.front())
      return branches | loops | modern;
    if (corpus::info(instruction.opcode).has(corpus::trait::accessesMemory) &&
        instruction.opcode != corpus::Opcode::call)
      features |= memory;
  }
  for (const corpus::Parameter &parameter : function.signature.parameters)
    if (parameter.type.isPointer())
      features |= memory;
  if (function.blocks.size() > 1)
    features |= branches;
  if (corpus::Graph(function).hasCycle())
    features |= loops;
  return features;
}

} // namespace

std::span<const FoldList> foldLists() {
  static constexpr std::string_view unswitch =
      "loop-mssa(simple-loop-unswitch<nontrivial>)";
  static constexpr std::string_view lateSimplifycfg =
      "simplifycfg<forward-switch-cond;switch-to-lookup;no-keep-loops;"
      "hoist-common-insts;sink-common-insts>";
  static constexpr FoldList table[] = {
      {"instcombine", lists::instcombine},
      {"adce", lists::adce},
      {"aggressive-instcombine", lists::aggressiveInstcombine},
      {"bdce", lists::bdce},
      {"constraint-elimination", lists::constraintElimination},
      {"correlated-propagation", lists::correlatedPropagation},
      {"correlated-propagation", lists::correlatedPropagationMemory},
      {"dfa-jump-threading", lists::dfaJumpThreading},
      {"div-rem-pairs", lists::divRemPairs},
      {"dse", lists::dseMemory},
      {"early-cse", lists::earlyCse},
      {"early-cse<memssa>", lists::earlyCseMemory},
      {"flatten-cfg", lists::flattenCfg},
      {"gvn", lists::gvn},
      {"gvn-hoist", lists::gvnHoistMemory},
      {"gvn", lists::gvnMemory},
      {"gvn-sink", lists::gvnSinkMemory},
      {"indvars", lists::indvars},
      {"indvars", lists::indvarsMemory},
      {"indvars", lists::indvarsNative, native},
      {"instcombine", lists::instcombineMemory},
      {"instcombine", lists::instcombinePhis},
      {"instcombine", lists::instcombinePhisNative, native},
      {"instsimplify", lists::instsimplify},
      {"ipsccp", lists::ipsccp},
      {"irce", lists::irce},
      {"jump-threading", lists::jumpThreading},
      {"jump-threading", lists::jumpThreadingMemory},
      {"licm", lists::licm},
      {"licm", lists::licmMemory},
      {"loop-bound-split", lists::loopBoundSplit},
      {"loop-deletion", lists::loopDeletion},
      {"loop-deletion", lists::loopDeletionMemory},
      {"loop-flatten", lists::loopFlatten},
      {"loop-fusion", lists::loopFusion},
      {"loop-idiom", lists::loopIdiom},
      {"loop-idiom", lists::loopIdiomMemory},
      {"loop-instsimplify", lists::loopInstsimplify},
      {"loop-load-elim", lists::loopLoadElimMemory},
      {"loop-reduce", lists::loopReduce},
      {"loop-reduce", lists::loopReduceNative, native},
      {"loop-rotate", lists::loopRotate},
      {"loop-rotate", lists::loopRotateMemory},
      {"loop-simplifycfg", lists::loopSimplifycfg},
      {"loop-unroll", lists::loopUnroll},
      {"loop-unroll<O3;runtime;partial;upperbound;peeling>",
       lists::loopUnrollRuntime},
      {"mem2reg", lists::mem2regMemory},
      {"memcpyopt", lists::memcpyoptMemory},
      {"mldst-motion", lists::mldstMotionMemory},
      {"nary-reassociate", lists::naryReassociate},
      {"newgvn", lists::newgvn},
      {"newgvn", lists::newgvnMemory},
      {"reassociate", lists::reassociate},
      {"sccp", lists::sccp},
      {unswitch, lists::simpleLoopUnswitch},
      {unswitch, lists::simpleLoopUnswitchMemory},
      {"simplifycfg", lists::simplifycfg},
      {lateSimplifycfg, lists::simplifycfgLate},
      {lateSimplifycfg, lists::simplifycfgLateMemory},
      {lateSimplifycfg, lists::simplifycfgLateNative, native},
      {"simplifycfg", lists::simplifycfgMemory},
      {"sink", lists::sink},
      {"sink", lists::sinkMemory},
      {"slsr", lists::slsr},
      {"speculative-execution", lists::speculativeExecution},
      {"sroa", lists::sroaMemory},
      {"tailcallelim", lists::tailcallelimMemory},
  };
  return table;
}

std::span<const FoldSet> foldSets() {
  using namespace foldFeature;
  static constexpr FoldSet table[] = {
      {"", "InstCombine's, straight lines"},
      {"straight", "straight lines of other passes"},
      {"branches", "branches", branches},
      {"loops", "loops", branches | loops},
      {"branches-native", "branches that want native integers", branches,
       native},
      {"loops-native", "loops that want them", branches | loops, native},
      {"modern", "what has flags that came after LLVM 13",
       branches | loops | modern},
      {"memory", "memory in straight lines, of i8", memory},
      {"memory-branches", "the same in branches", memory | branches},
      {"memory-loops", "the same in loops", memory | branches | loops},
  };
  return table;
}

std::string foldSetHelp() {
  std::string help;
  for (const FoldSet &set : foldSets())
    help += fmt::format("{}{} ({})", help.empty() ? "" : ", ",
                        set.word.empty() ? "nothing" : set.word, set.help);
  return help;
}

Result<std::optional<FoldSpec>> parseFoldSpec(std::string_view spec) {
  if (!spec.starts_with(prefix))
    return std::optional<FoldSpec>();
  std::string_view rest = spec.substr(prefix.size());
  const auto edits = takeEdits(rest);
  const FoldSet *const set = takeSet(rest);
  const std::size_t lane = rest.find('i');
  const bool isVector = rest.starts_with('v') && lane != rest.npos;
  const auto lanes = parseNumber(isVector ? rest.substr(1, lane - 1) : "1", 1,
                                 FoldSpec::maximumLanes);
  const auto width =
      parseNumber(isVector || lane == 0 ? rest.substr(lane + 1) : "",
                  FoldSpec::minimumWidth, Type::maximumWidth);
  const auto typeOf = [&](unsigned bits) {
    const Type scalar = Type::integer(bits);
    return isVector ? Type::vector(*lanes, scalar) : scalar;
  };
  if (!edits || set == nullptr || !lanes || !width || *width % 2 != 0 ||
      !takes(*set, typeOf(*width)))
    return Error{fmt::format(
        "space `{}`: it is folds:i<W>[:SET][:edits=2], W an even number from "
        "{} to {}, SET one of {}, or folds:v<L>i<W>[:edits=2], L from 1 to {}, "
        "for example folds:i4",
        spec, FoldSpec::minimumWidth, Type::maximumWidth, foldSetHelp(),
        FoldSpec::maximumLanes)};
  return std::optional(FoldSpec{typeOf(*width), *edits, set});
}

std::vector<const FoldInfo *> foldsOf(const FoldSet &set,
                                      const FoldList &list) {
  std::vector<const FoldInfo *> folds;
  const bool isFirst = &list == &foldLists().front();
  if (isFirst != set.word.empty() || list.dataLayout != set.dataLayout)
    return folds;
  for (const FoldInfo &fold : list.folds)
    if (isFirst || foldFeaturesOf(makeFunction(fold.text, FoldSpec().type)) ==
                       set.features)
      folds.push_back(&fold);
  return folds;
}

std::vector<NamedProgram> makeFolds(const FoldSpec &spec) {
  std::vector<NamedProgram> folds;
  for (const FoldList &list : foldLists())
    for (const FoldInfo *fold : foldsOf(*spec.set, list))
      folds.push_back(
          {std::string(fold->text), makeFunction(fold->text, spec.type)});
  return folds;
}

std::unique_ptr<Space> makeFoldSpace(const FoldSpec &spec) {
  const std::string name = fmt::format(
      "{}{}i{}{}{}", prefix,
      spec.type.isVector() ? fmt::format("v{}", spec.type.lanes()) : "",
      spec.type.lane(0).width(), spec.set->word.empty() ? "" : ":",
      spec.set->word);
  constexpr auto kinds = Edits::Kinds::few;
  auto once =
      makeSpaceAround(name, makeListSpace(name, makeFolds(spec)), kinds);
  return spec.edits == 1
             ? std::move(once)
             : makeSpaceAround(name + ":edits=2", std::move(once), kinds);
}

} // namespace enumerate
