// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/gate/patch.h"

#include <algorithm>

namespace reports {
namespace {

/// A file of llvm/lib belongs to the first line whose part is in its path.
struct Owner {
  std::string_view part;
  std::string_view passes;
  std::string_view tests; ///< below llvm/test
};
constexpr Owner owners[] = {
    {"Transforms/AggressiveInstCombine/", "aggressive-instcombine",
     "Transforms/AggressiveInstCombine"},
    {"Transforms/InstCombine/", "instcombine", "Transforms/InstCombine"},
    {"Analysis/ValueTracking", "instcombine", "Transforms/InstCombine"},
    {"Analysis/InstructionSimplify", "instsimplify", "Transforms/InstSimplify"},
    {"IR/ConstantFold", "instsimplify", "Transforms/InstSimplify"},
    {"Analysis/ConstantFolding", "instsimplify", "Transforms/InstSimplify"},
    {"Scalar/NaryReassociate", "nary-reassociate",
     "Transforms/NaryReassociate"},
    {"Scalar/Reassociate", "reassociate", "Transforms/Reassociate"},
    {"Scalar/NewGVN", "newgvn", "Transforms/NewGVN"},
    {"Scalar/GVN.", "gvn", "Transforms/GVN"},
    {"Scalar/EarlyCSE", "early-cse", "Transforms/EarlyCSE"},
    {"Scalar/SCCP", "sccp", "Transforms/SCCP"},
    {"Utils/SCCPSolver", "sccp", "Transforms/SCCP"},
    {"Scalar/CorrelatedValuePropagation", "correlated-propagation",
     "Transforms/CorrelatedValuePropagation"},
    {"Analysis/LazyValueInfo", "correlated-propagation",
     "Transforms/CorrelatedValuePropagation"},
    {"Scalar/ConstraintElimination", "constraint-elimination",
     "Transforms/ConstraintElimination"},
    {"Analysis/ConstraintSystem", "constraint-elimination",
     "Transforms/ConstraintElimination"},
    {"Scalar/DFAJumpThreading", "dfa-jump-threading",
     "Transforms/DFAJumpThreading"},
    {"Scalar/JumpThreading", "jump-threading", "Transforms/JumpThreading"},
    {"Utils/SimplifyCFG", "simplifycfg", "Transforms/SimplifyCFG"},
    {"Scalar/SimplifyCFGPass", "simplifycfg", "Transforms/SimplifyCFG"},
    {"FlattenCFG", "flatten-cfg", "Transforms/Util"},
    {"Scalar/SpeculativeExecution", "speculative-execution",
     "Transforms/SpeculativeExecution"},
    {"Scalar/Sink", "sink", "Transforms/Sink"},
    {"Scalar/BDCE", "bdce", "Transforms/BDCE"},
    {"Analysis/DemandedBits", "bdce", "Transforms/BDCE"},
    {"Scalar/StraightLineStrengthReduce", "slsr",
     "Transforms/StraightLineStrengthReduce"},
    {"Scalar/LICM", "licm", "Transforms/LICM"},
    {"Scalar/IndVarSimplify", "indvars", "Transforms/IndVarSimplify"},
    {"Utils/SimplifyIndVar", "indvars", "Transforms/IndVarSimplify"},
    {"Analysis/ScalarEvolution", "indvars", "Transforms/IndVarSimplify"},
    {"Scalar/SimpleLoopUnswitch", "loop-mssa(simple-loop-unswitch<nontrivial>)",
     "Transforms/SimpleLoopUnswitch"},
    {"LoopRotat", "loop-rotate", "Transforms/LoopRotate"},
    {"Scalar/LoopDeletion", "loop-deletion", "Transforms/LoopDeletion"},
    {"LoopUnroll", "loop-unroll", "Transforms/LoopUnroll"},
    {"Scalar/SROA", "sroa", "Transforms/SROA"},
    {"Scalar/DeadStoreElimination", "dse", "Transforms/DeadStoreElimination"},
    {"Scalar/MemCpyOptimizer", "memcpyopt", "Transforms/MemCpyOpt"},
    {"Vectorize/VectorCombine", "vector-combine", "Transforms/VectorCombine"},
};

void addOnce(std::vector<std::string> &list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end())
    list.push_back(std::move(text));
}

/// The path of a line such as "+++ b/llvm/lib/X.cpp\t2024-01-01", or "".
std::string_view pathOf(std::string_view line) {
  for (const std::string_view head : {"+++ b/", "--- a/"})
    if (line.starts_with(head)) {
      line.remove_prefix(head.size());
      return line.substr(0, line.find_first_of("\t\r"));
    }
  return "";
}

} // namespace

corpus::Result<Patch> readPatch(std::string_view text) {
  Patch patch;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const auto path = pathOf(text.substr(at, end - at)); !path.empty())
      addOnce(patch.files, std::string(path));
    at = end + 1;
  }
  if (patch.files.empty())
    return corpus::Error{"no file is named in it; a diff as `git diff` prints "
                         "it has lines `+++ b/llvm/…`"};
  std::vector<std::string> folders;
  for (const std::string &file : patch.files) {
    if (file.starts_with("llvm/test/") && file.ends_with(".ll"))
      addOnce(patch.tests, file);
    if (!file.starts_with("llvm/lib/") && !file.starts_with("llvm/include/"))
      continue;
    const auto owner = std::find_if(
        std::begin(owners), std::end(owners), [&](const Owner &each) {
          return file.find(each.part) != std::string::npos;
        });
    if (owner == std::end(owners)) {
      addOnce(patch.passes, "default<O2>");
      continue;
    }
    addOnce(patch.passes, std::string(owner->passes));
    addOnce(folders, "llvm/test/" + std::string(owner->tests));
  }
  for (std::string &folder : folders)
    addOnce(patch.tests, std::move(folder));
  return patch;
}

} // namespace reports
