// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `-passes=` strings: one spelling for every release, passes that must not run
// on a batch refused, and everything that LLVM needs to run the rest.
// Threads: a Session belongs to one thread at a time; the functions may be
// called from any.
#pragma once

#include "corpus/program/result.h"
#include "runner/backend.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

/// `passes` as this release spells it: renamed passes, and `instcombine` that
/// does not abort where it finds no fixpoint. Fails for a pass that merges,
/// removes, clones or prints the functions of a batch, and for one that needs a
/// target where there is none.
corpus::Result<std::string> spellForRelease(std::string_view passes,
                                            unsigned release, bool hasTarget);

/// `passes` cut at the commas outside of every bracket.
std::vector<std::string> topLevelPasses(std::string_view passes);

/// Hands LLVM its own options. They are of the whole process: the first list
/// counts, another one later is an error.
std::optional<corpus::Error>
setLlvmOptions(const std::vector<std::string> &arguments);

/// One LLVMContext with the passes and analyses of one pipeline. After a crash
/// it must be leaked: what it owns may be broken.
class Session {
public:
  /// Fails with LLVM's message, one line that names the word.
  static corpus::Result<std::unique_ptr<Session>>
  make(const Pipeline &pipeline);
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  llvm::LLVMContext &context() { return context_; }
  llvm::PassInstrumentationCallbacks &callbacks() { return callbacks_; }
  /// What describe() answers.
  const PipelineInfo &info() const { return info_; }
  /// The pass of a class, valid until the next call. `name` is as `-passes=`
  /// spells it, the class where that fails, "" for managers and adaptors, which
  /// only call others.
  struct Pass {
    llvm::StringRef name;
    PassName packed;
  };
  const Pass &pass(llvm::StringRef className);

  /// An empty module with the pipeline's triple and data layout.
  std::unique_ptr<llvm::Module> makeModule();
  /// What cannot run here of `program`: what this release lacks, or memory of
  /// another byte order than the data layout has.
  std::optional<std::string> lackOf(const corpus::Program &program) const;
  /// Whether run(function) may be used: the pipeline has no module pass.
  bool runsByFunction() const { return !functionPasses_.empty(); }
  /// Requires runsByFunction(), and forget() or makeEmpty() when nobody needs
  /// the function any more.
  void run(llvm::Function &function);
  /// Parses the pipeline anew each time, because LLVM's default pipelines may
  /// run only once.
  void run(llvm::Module &module);

  /// The pipeline cut where nothing but the IR and what LLVM derives from it
  /// goes over: stages that do the same one after the other. One stage, the
  /// whole, where this release cannot spell what its pipeline does.
  std::span<const std::string> stages() const { return stages_; }
  /// Whether the stages are those of an alias, spelled out. Releases forget
  /// something when they spell what runs on loops (19: under which condition
  /// default<O3> unswitches them again), so that is one only for straight
  /// lines.
  bool stagesAreOfAlias() const;
  /// Runs one stage, and keeps the analyses for the next.
  void run(llvm::Function &function, std::size_t stage);
  void run(llvm::Module &module, std::size_t stage);
  void forget(llvm::Function &function);
  /// Takes the instructions out of a function, so that another one of its type
  /// can be built in it. What LLVM found out about any function of that type is
  /// kept: half of what a pass on a small function costs is to find that out.
  /// False where something else of it became different.
  bool makeEmpty(llvm::Function &function);
  /// Call it when that other one is built.
  void seeBlocks(llvm::Function &function);
  /// The functions that follow touch no memory, until clearAnalyses(): what may
  /// alias is not looked into for each of them, which is a tenth of the time.
  void expectNoMemory() { analyses_ = &withoutMemory_; }
  /// Takes functions that nobody calls out of a module between two stages.
  void erase(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);
  /// Forgets every analysis; before a module goes.
  void clearAnalyses();

private:
  /// Destroyed in this order: module, component, function, loop.
  struct Analyses {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
  };

  explicit Session(const Pipeline &pipeline);
  std::optional<corpus::Error> parse();
  void provide(Analyses &analyses);
  void countCached();
  void cutIntoStages();
  template <typename Manager>
  std::optional<std::string> expanded(const std::string &passes);
  template <typename Manager> void keepStagesOf(const std::string &whole);
  llvm::ModulePassManager parseModulePasses(const std::string &passes);

  Pipeline pipeline_;
  PipelineInfo info_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::TargetMachine> target_;
  std::string dataLayout_;
  bool isBigEndian_ = false;
  llvm::PassInstrumentationCallbacks callbacks_;
  // Outlives the analysis managers, which it fills.
  std::unique_ptr<llvm::PassBuilder> builder_;
  Analyses complete_;
  Analyses withoutMemory_;
  Analyses *analyses_ = &complete_;
  std::vector<std::string> stages_;
  /// One for each stage; none for a pipeline with module passes.
  std::vector<llvm::FunctionPassManager> functionPasses_;
  llvm::DenseMap<const char *, Pass> passes_;
  const llvm::PreservedAnalyses ofEveryBody_;
  /// Which analyses are cached for all functions together, as a sum of hashes;
  /// that of the last run is not counted.
  std::uint64_t cached_ = 0;
  /// What it is when nothing is cached but what stays true of every body.
  std::optional<std::uint64_t> cachedOfEveryBody_;
};

} // namespace runner
