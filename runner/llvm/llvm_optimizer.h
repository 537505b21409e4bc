// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Optimizer of one LLVM release. A batch becomes a module. A pipeline of
// function passes runs function by function; any other pipeline runs on the
// module as a whole.
//
// When LLVM crashes, the context is leaked and the same module goes through a
// fresh one that watches every pass. The function that crashes there gets
// Status::crash, and the rest goes on, watched and in smaller modules until
// crashes become rare again, so that little work is done twice.
// Threads: belongs to one thread at a time.
#pragma once

#include "checker/deletions.h"
#include "runner/llvm/function_key.h"
#include "runner/llvm/lift.h"
#include "runner/llvm/lower.h"
#include "runner/llvm/memo.h"
#include "runner/llvm/pipeline.h"
#include "runner/llvm/snapshot.h"
#include "runner/optimizer.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace runner {

/// Turns what LLVM made of the functions of one context into Outputs.
class Finisher {
public:
  /// What became of `source`: a program, or why it is none.
  void finish(const llvm::Function &function, const corpus::Program &source,
              Output &output);

private:
  /// Whether it is known without LLVM's verifier, which costs more than all the
  /// rest here, that the function is valid.
  bool isSurelyValid(const llvm::Function &function,
                     const corpus::Program &source, const Output &output) const;

  Lifter lifter_;
  checker::Deletions deletions_;
  /// Types with attributes that LLVM's verifier accepted before.
  llvm::DenseSet<std::pair<const llvm::FunctionType *, const void *>>
      signatures_;
};

class LlvmOptimizer : public Optimizer {
public:
  /// Requires that Session::make() accepts the pipeline.
  LlvmOptimizer(Pipeline pipeline, WatchPasses watch);
  ~LlvmOptimizer() override;

  void optimize(std::span<const corpus::Program> batch,
                std::span<const std::uint64_t> positions, Slot &slot,
                std::vector<Output> &outputs) override;

  void setMemo(std::size_t bytes) override;
  std::string stage(std::size_t index) const override;

  /// Each leaked a context; a worker is worth replacing after a few thousand.
  std::uint64_t recoveredCrashes() const { return recoveredCrashes_; }

private:
  static constexpr std::size_t none = ~std::size_t(0);

  void freshSession(WatchPasses watch);
  /// Called before every pass; notes what runs now.
  void enterPass(llvm::StringRef className, const llvm::Any &unit);
  /// Optimizes the first of pending_ and takes them off.
  void runChunk();
  void runGuardedChunk();
  void runByFunction();
  void runInShells();
  void runOne(std::size_t index, llvm::Function &function);
  void runModule(llvm::Module &module);
  void serveKnown(llvm::Module &module, std::size_t stage);
  void finish(std::size_t index, const llvm::Function &function);
  void remember();
  /// Watching means that something crashes: first that.
  bool hasMemo() const {
    return memoBytes_ != 0 && watch_ == WatchPasses::no && !hasVectors_ &&
           session_->stages().size() > 1;
  }
  void recover(std::string what);
  void setCrash(std::size_t index, std::string what, std::string pass);

  Pipeline pipeline_;
  WatchPasses watchAlways_;
  WatchPasses watch_ = WatchPasses::no; ///< what session_ does
  std::unique_ptr<Session> session_;
  std::unique_ptr<Lowerer> lowerer_;
  Finisher finisher_;
  /// Most functions of one module; shrinks on a crash, grows without.
  std::size_t limit_ = 0;
  std::uint64_t recoveredCrashes_ = 0;
  std::size_t sinceCrash_ = 0; ///< functions optimized

  // Of the running optimize().
  std::span<const corpus::Program> batch_;
  std::span<const std::uint64_t> positions_;
  Slot *slot_ = nullptr;
  std::vector<Output> *outputs_ = nullptr;
  std::vector<std::size_t> pending_; ///< indices into batch_, last one first
  /// A crash that nobody watched, and the function it was on, or the first of
  /// its module. The next chunk shows more.
  struct Unseen {
    std::size_t index;
    std::string what;
  };
  std::optional<Unseen> unseen_;
  std::size_t memoBytes_ = 0;
  bool hasVectors_ = false; ///< of any function of the chunk
  Memo memo_;
  FunctionKey key_;
  Snapshot snapshot_; ///< of the function that runs

  // Of the running chunk.
  /// Null for one whose end is known, or will be when `leader` has ended.
  std::vector<std::pair<std::size_t, llvm::Function *>> chunk_;
  struct Seen {
    FunctionKey::Value key;
    std::size_t stage;
    std::size_t index; ///< of the function, as in batch_
  };
  std::vector<Seen> seen_; ///< keys of functions that go on
  struct Follower {
    std::size_t index;
    std::size_t leader;
    std::size_t stage;
  };
  /// Functions that became one that was there before them in this chunk.
  std::vector<Follower> followers_;
  llvm::DenseMap<const llvm::Function *, std::size_t> indexOf_;
  /// What current_ was looked up for; null: none.
  const llvm::Function *entered_ = nullptr;
  std::size_t done_ = 0;       ///< functions of chunk_ with an output
  std::size_t current_ = none; ///< index into batch_ of what runs now
  llvm::StringRef pass_;
};

/// The function as IR text, as Output::text wants it.
std::string printIr(const llvm::Function &function);
/// LLVM's verifier: nothing, or its message on one line.
std::optional<std::string> verifyIr(const llvm::Function &function);
} // namespace runner
