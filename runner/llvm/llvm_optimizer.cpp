// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/llvm_optimizer.h"

#include "runner/crash_text.h"
#include "runner/llvm/crash.h"
#include "runner/llvm/release.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cassert>

namespace runner {

std::string printIr(const llvm::Function &function) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  function.print(stream);
  stream.flush();
  return text;
}

std::optional<std::string> verifyIr(const llvm::Function &function) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!llvm::verifyFunction(function, &stream))
    return std::nullopt;
  stream.flush();
  // Further lines print the values concerned, which differ between functions.
  return message.substr(0, message.find('\n'));
}

namespace {

/// A constant vector may go, and another one take its address: with vectors
/// nothing is remembered.
bool hasVectors(const corpus::Program &program) {
  return llvm::any_of(program.instructions,
                      [](const corpus::Instruction &each) {
                        return each.type.isVector();
                      }) ||
         llvm::any_of(program.signature.parameters,
                      [](const corpus::Parameter &each) {
                        return each.type.isVector();
                      });
}

/// Whether it is one block of values that nothing but each other depends on.
bool isPure(const llvm::Function &function) {
  return function.size() == 1 &&
         llvm::none_of(function.getEntryBlock(),
                       [](const llvm::Instruction &each) {
                         return each.getType()->isPointerTy() ||
                                each.mayReadOrWriteMemory() ||
                                llvm::isa<llvm::CallBase>(each);
                       }) &&
         llvm::none_of(function.args(), [](const llvm::Argument &argument) {
           return argument.getType()->isPointerTy();
         });
}

/// Whether it is one block that computes integers of integers, and no more.
bool isPlain(const corpus::Program &program) {
  return program.blocks.size() == 1 &&
         llvm::all_of(program.signature.parameters,
                      [](const corpus::Parameter &each) {
                        return each.type.isInteger();
                      }) &&
         llvm::all_of(program.instructions,
                      [](const corpus::Instruction &each) {
                        return (each.type.isInteger() &&
                                corpus::info(each.opcode).shape <=
                                    corpus::Shape::narrow) ||
                               each.opcode == corpus::Opcode::ret;
                      });
}

/// Whether nothing of it is in the module, or in what LLVM keeps of a function
/// whose instructions go.
bool fitsInShell(const corpus::Program &program) {
  return program.callees.empty() && program.globals.empty() &&
         llvm::none_of(program.instructions,
                       [](const corpus::Instruction &each) {
                         return each.opcode == corpus::Opcode::assume;
                       });
}

/// What the in-flight table shows of a pass that nobody watches.
const PassName noPass;

std::pair<const llvm::FunctionType *, const void *>
signatureOf(const llvm::Function &function) {
  // Both are unique in their context.
  return {function.getFunctionType(), function.getAttributes().getRawPointer()};
}

} // namespace

/// Where no block was left out and nothing has attributes, corpus::verify()
/// says all that LLVM's verifier could beside the signature.
bool Finisher::isSurelyValid(const llvm::Function &function,
                             const corpus::Program &source,
                             const Output &output) const {
  const corpus::Program &program = output.program;
  if (program == source || output.onlyDeletes)
    return true;
  return program.blocks.size() == function.size() && program.callees.empty() &&
         program.callAttributes.empty() &&
         (function.getAttributes().isEmpty() ||
          signatures_.contains(signatureOf(function))) &&
         !corpus::verify(program);
}

void Finisher::finish(const llvm::Function &function,
                      const corpus::Program &source, Output &output) {
  auto reason = lifter_.lift(function, output.program);
  output.status = reason ? Output::Status::unsupported : Output::Status::ok;
  output.onlyDeletes = !reason && deletions_.explain(source, output.program) &&
                       output.program.blocks.size() == function.size();
  if (!reason && isSurelyValid(function, source, output))
    return;
  if (auto message = verifyIr(function)) {
    output.status = Output::Status::invalid;
    reason = std::move(message);
  } else if (auto problem =
                 reason ? std::nullopt : corpus::verify(output.program)) {
    // LLVM 14's does not compare the types of a freeze.
    output.status = Output::Status::invalid;
    reason = std::move(problem);
  } else {
    signatures_.insert(signatureOf(function));
  }
  if (reason) {
    output.detail = std::move(*reason);
    output.text = printIr(function);
  }
}

LlvmOptimizer::LlvmOptimizer(Pipeline pipeline, WatchPasses watch)
    : pipeline_(std::move(pipeline)), watchAlways_(watch) {
  freshSession(watch);
}

LlvmOptimizer::~LlvmOptimizer() = default;

void LlvmOptimizer::freshSession(WatchPasses watch) {
  auto session = Session::make(pipeline_);
  assert(session && "describe() accepted this pipeline");
  session_ = std::move(*session);
  lowerer_ = std::make_unique<Lowerer>(session_->context());
  finisher_ = Finisher();
  memo_.clear(); // its keys are of the old context
  watch_ = watch;
  // LLVM allocates memory for each call of a callback.
  if (watch == WatchPasses::no)
    return;
  session_->callbacks().registerBeforeNonSkippedPassCallback(
      [this](llvm::StringRef className, const llvm::Any &unit) {
        enterPass(className, unit);
      });
}

void LlvmOptimizer::enterPass(llvm::StringRef className,
                              const llvm::Any &unit) {
  const Session::Pass &pass = session_->pass(className);
  if (pass.name.empty())
    return;
  if (!session_->runsByFunction()) {
    const llvm::Function *function = release::functionOf(unit);
    if (function != entered_) {
      entered_ = function;
      const auto found = indexOf_.find(function);
      current_ = found == indexOf_.end() ? none : found->second;
    }
  }
  pass_ = pass.name;
  slot_->enter(positions_[current_ == none ? chunk_.front().first : current_],
               pass.packed);
}

void LlvmOptimizer::setMemo(std::size_t bytes) {
  memoBytes_ = bytes;
  memo_.setLimit(bytes);
}

std::string LlvmOptimizer::stage(std::size_t index) const {
  return session_->stages()[index];
}

void LlvmOptimizer::optimize(std::span<const corpus::Program> batch,
                             std::span<const std::uint64_t> positions,
                             Slot &slot, std::vector<Output> &outputs) {
  assert(batch.size() == positions.size());
  batch_ = batch;
  positions_ = positions;
  slot_ = &slot;
  outputs_ = &outputs;
  outputs.resize(batch.size());
  limit_ = std::max(limit_, std::size_t(1));
  if (recoveredCrashes_ == 0)
    limit_ = std::max(limit_, batch.size());
  pending_.clear();
  for (std::size_t i = batch.size(); i-- > 0;) {
    Output &output = outputs[i];
    output.detail.clear();
    output.text.clear();
    output.pass.clear();
    output.onlyDeletes = false;
    output.knownFrom = 0;
    if (auto lack = session_->lackOf(batch[i])) {
      output.status = Output::Status::unsupported;
      output.detail = std::move(*lack);
    } else {
      pending_.push_back(i);
    }
  }
  while (!pending_.empty())
    runChunk();
  slot.leave();
}

void LlvmOptimizer::runChunk() {
  chunk_.clear();
  indexOf_.clear();
  entered_ = nullptr;
  done_ = 0;
  current_ = none;
  pass_ = "";
  if (auto what = runGuarded([this] { runGuardedChunk(); })) {
    recover(std::move(*what));
    return;
  }
  pending_.resize(pending_.size() - done_);
  limit_ = std::min(limit_ * 2, std::max(limit_, batch_.size()));
  sinceCrash_ += done_;
  if (unseen_) {
    setCrash(unseen_->index, unseen_->what + std::string(notAgain), "");
    unseen_.reset();
  }
  if (watch_ != watchAlways_ && sinceCrash_ >= batchSize())
    freshSession(watchAlways_);
}

void LlvmOptimizer::runGuardedChunk() {
  const std::unique_ptr<llvm::Module> module = session_->makeModule();
  lowerer_->start(*module);
  const std::size_t size = std::min(limit_, pending_.size());
  const auto next = std::span(pending_).last(size);
  const auto all = [&](bool (*has)(const corpus::Program &)) {
    return llvm::all_of(next,
                        [&](std::size_t index) { return has(batch_[index]); });
  };
  hasVectors_ =
      !all([](const corpus::Program &program) { return !hasVectors(program); });
  if (session_->runsByFunction() && all(fitsInShell)) {
    for (const std::size_t index : llvm::reverse(next))
      chunk_.emplace_back(index, nullptr);
    if (all(isPlain))
      session_->expectNoMemory();
    runInShells();
    current_ = none;
    session_->clearAnalyses();
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t index = pending_[pending_.size() - 1 - i];
    if (lowerer_->conflicts(batch_[index]))
      break;
    current_ = index;
    llvm::Function &function =
        lowerer_->lower(batch_[index], llvm::Twine(index));
    chunk_.emplace_back(index, &function);
  }
  current_ = none;
  if (llvm::all_of(chunk_,
                   [](const auto &item) { return isPure(*item.second); }))
    session_->expectNoMemory();
  if (session_->runsByFunction())
    runByFunction();
  else
    runModule(*module);
  current_ = none;
  session_->clearAnalyses();
}

void LlvmOptimizer::finish(std::size_t index, const llvm::Function &function) {
  finisher_.finish(function, batch_[index], (*outputs_)[index]);
}

/// What became of every function that went through a cut.
void LlvmOptimizer::remember() {
  for (const Seen &seen : seen_)
    if (const Output &output = (*outputs_)[seen.index];
        output.status == Output::Status::ok)
      memo_.insert(seen.key, seen.stage, output.program);
}

void LlvmOptimizer::runByFunction() {
  for (const auto &[index, function] : chunk_) {
    runOne(index, *function);
    session_->forget(*function);
    ++done_;
  }
}

/// One function after the other, and of each type in the same llvm::Function:
/// to make one, and what LLVM wants to know of it, costs as much as a pass.
void LlvmOptimizer::runInShells() {
  llvm::DenseMap<const llvm::FunctionType *, llvm::Function *> shells;
  const corpus::Signature *signature = nullptr;
  const llvm::FunctionType *type = nullptr;
  for (auto &[index, function] : chunk_) {
    current_ = index;
    // Neighbours have the same, mostly.
    if (signature == nullptr || *signature != batch_[index].signature) {
      signature = &batch_[index].signature;
      type = lowerer_->typeOf(batch_[index]);
    }
    llvm::Function *&shell = shells[type];
    if (shell == nullptr)
      shell = &lowerer_->lower(batch_[index], "f");
    else
      lowerer_->lowerInto(*shell, batch_[index]);
    session_->seeBlocks(*shell);
    function = shell;
    runOne(index, *function);
    if (!session_->makeEmpty(*function)) {
      session_->forget(*function);
      shell = nullptr;
    }
    ++done_;
  }
}

/// Up to its output.
void LlvmOptimizer::runOne(std::size_t index, llvm::Function &function) {
  const std::size_t stages = session_->stages().size();
  current_ = index;
  slot_->enter(positions_[index], noPass);
  seen_.clear();
  snapshot_.take(function);
  const corpus::Program *known = nullptr;
  if (!hasMemo()) {
    session_->run(function);
  } else {
    for (std::size_t stage = 0; stage < stages && known == nullptr;) {
      session_->run(function, stage);
      if (++stage == stages)
        break;
      const auto key = key_.of(function);
      if (!key)
        continue;
      known = memo_.find(*key, stage);
      if (known != nullptr)
        (*outputs_)[index].knownFrom = stage;
      else
        seen_.push_back({*key, stage, index});
    }
  }
  if (known != nullptr) {
    (*outputs_)[index].status = Output::Status::ok;
    (*outputs_)[index].program = *known;
  } else if (snapshot_.isOf(function)) {
    (*outputs_)[index].status = Output::Status::ok;
    (*outputs_)[index].program = batch_[index];
  } else {
    finish(index, function);
  }
  remember();
}

void LlvmOptimizer::runModule(llvm::Module &module) {
  slot_->enter(positions_[chunk_.front().first], noPass);
  for (const auto &[index, function] : chunk_)
    indexOf_[function] = index;
  seen_.clear();
  followers_.clear();
  const bool isStraight = llvm::all_of(
      chunk_, [](const auto &item) { return item.second->size() == 1; });
  if (!hasMemo() || (session_->stagesAreOfAlias() && !isStraight)) {
    session_->run(module);
  } else {
    for (std::size_t stage = 0;; ++stage) {
      session_->run(module, stage);
      if (stage + 1 == session_->stages().size())
        break;
      serveKnown(module, stage + 1);
    }
  }
  for (const auto &[index, function] : chunk_) {
    current_ = index;
    if (function != nullptr)
      finish(index, *function);
  }
  // Who leads here may follow in a later stage.
  for (const Follower &follower : llvm::reverse(followers_)) {
    (*outputs_)[follower.index] = (*outputs_)[follower.leader];
    (*outputs_)[follower.index].knownFrom = follower.stage;
  }
  remember();
  done_ = chunk_.size();
}

/// Takes those functions out of the module whose end is known, or will be.
void LlvmOptimizer::serveKnown(llvm::Module &module, std::size_t stage) {
  llvm::SmallVector<llvm::Function *, 0> known;
  llvm::DenseMap<FunctionKey::Value, std::size_t> leaders;
  for (auto &[index, function] : chunk_) {
    if (function == nullptr)
      continue;
    const auto key = key_.of(*function);
    if (!key)
      continue;
    if (const corpus::Program *end = memo_.find(*key, stage)) {
      Output &output = (*outputs_)[index];
      output.status = Output::Status::ok;
      output.program = *end;
      output.knownFrom = stage;
    } else if (const auto [leader, isNew] = leaders.try_emplace(*key, index);
               !isNew) {
      followers_.push_back({index, leader->second, stage});
    } else {
      seen_.push_back({*key, stage, index});
      continue;
    }
    known.push_back(function);
    indexOf_.erase(function);
    function = nullptr;
  }
  session_->erase(module, known);
}

void LlvmOptimizer::recover(std::string what) {
  ++recoveredCrashes_;
  // Broken by the crash: leaked, not destroyed.
  (void)session_.release();
  (void)lowerer_.release();
  const bool watched = watch_ == WatchPasses::yes;
  const std::string pass = pass_.str();
  freshSession(WatchPasses::yes);
  sinceCrash_ = 0;
  unseen_.reset();
  pending_.resize(pending_.size() - done_);
  if (current_ == none && done_ == chunk_.size())
    return; // it crashed after its work
  if (!watched) {
    unseen_ = {current_ == none ? chunk_.front().first : current_,
               std::move(what)};
    return;
  }
  if (current_ == none && chunk_.size() == 1)
    current_ = chunk_.front().first;
  limit_ = std::max(limit_ / 2, std::size_t(1));
  if (current_ == none) {
    // A pass over the whole module: try again with fewer functions.
    limit_ = std::min(limit_, std::max(chunk_.size() / 2, std::size_t(1)));
    return;
  }
  setCrash(current_, std::move(what), pass);
  pending_.erase(std::find(pending_.begin(), pending_.end(), current_));
}

void LlvmOptimizer::setCrash(std::size_t index, std::string what,
                             std::string pass) {
  Output &output = (*outputs_)[index];
  output.status = Output::Status::crash;
  output.detail = std::move(what);
  output.text.clear();
  output.pass = std::move(pass);
}

} // namespace runner
