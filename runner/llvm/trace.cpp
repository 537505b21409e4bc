// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/trace.h"

#include "runner/llvm/crash.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/release.h"

#include <cassert>
#include <utility>

namespace runner {
namespace {

/// Watches one function. What it holds is only LLVM's while the guarded code
/// runs, so that it survives a crash.
class Tracer {
public:
  explicit Tracer(const corpus::Program &program) : before_(program) {}

  void run(Session &session, Trace &trace) {
    const std::unique_ptr<llvm::Module> module = session.makeModule();
    Lowerer lowerer(session.context());
    lowerer.start(*module);
    const llvm::Function &function = lowerer.lower(before_, "f");
    text_ = printIr(function);

    // Asked of the passes that -opt-bisect-limit counts, before each runs.
    session.callbacks().registerShouldRunOptionalPassCallback(
        [&](llvm::StringRef className, const llvm::Any &) {
          if (!session.pass(className).name.empty())
            next_ = ++counted_;
          else if (release::countsInliner(className))
            ++counted_;
          return true;
        });
    session.callbacks().registerBeforeNonSkippedPassCallback(
        [&](llvm::StringRef className, const llvm::Any &) {
          if (const auto name = session.pass(className).name; !name.empty()) {
            running_ = name.str();
            index_ = std::exchange(next_, 0);
          }
        });
    const auto after = [&](llvm::StringRef className) {
      if (const auto name = session.pass(className).name; !name.empty())
        trace.steps.push_back(snapshot(name.str(), function));
    };
    session.callbacks().registerAfterPassCallback(
        [=](llvm::StringRef className, const llvm::Any &,
            const llvm::PreservedAnalyses &) { after(className); });
    // For a pass that removed its own loop.
    session.callbacks().registerAfterPassInvalidatedCallback(
        [=](llvm::StringRef className, const llvm::PreservedAnalyses &) {
          after(className);
        });
    session.run(*module);
    session.clearAnalyses();
    finish(function, trace.end);
  }

  const std::string &running() const { return running_; }
  unsigned runningIndex() const { return index_; }

private:
  Step snapshot(std::string pass, const llvm::Function &function) {
    Step step;
    step.pass = std::move(pass);
    step.index = index_;
    std::string text = printIr(function);
    step.changed = text != text_;
    if (!step.changed)
      return step;
    text_ = text;
    step.text = std::move(text);
    corpus::Program program;
    if (auto reason = lifter_.lift(function, program))
      step.reason = std::move(*reason);
    else
      step.after = std::move(program);
    return step;
  }

  void finish(const llvm::Function &function, Output &end) {
    auto reason = lifter_.lift(function, end.program);
    end.status = reason ? Output::Status::unsupported : Output::Status::ok;
    if (auto message = verifyIr(function)) {
      end.status = Output::Status::invalid;
      reason = std::move(message);
    }
    if (reason) {
      end.detail = std::move(*reason);
      end.text = printIr(function);
    }
  }

  const corpus::Program &before_;
  Lifter lifter_;
  std::string text_;
  std::string running_;
  unsigned counted_ = 0; ///< passes asked so far
  unsigned next_ = 0;    ///< index of the pass that was asked last
  unsigned index_ = 0;   ///< of the pass that runs
};

} // namespace

Trace traceFunction(const corpus::Program &program, const Pipeline &pipeline) {
  Trace trace;
  auto made = Session::make(pipeline);
  assert(made && "describe() accepted this pipeline");
  std::unique_ptr<Session> session = std::move(*made);
  if (auto lack = session->lackOf(program)) {
    trace.end.status = Output::Status::unsupported;
    trace.end.detail = std::move(*lack);
    return trace;
  }
  Tracer tracer(program);
  if (auto what = runGuarded([&] { tracer.run(*session, trace); })) {
    (void)session.release(); // broken by the crash
    trace.end.status = Output::Status::crash;
    trace.end.detail = std::move(*what);
    trace.end.pass = tracer.running();
    trace.crashIndex = tracer.runningIndex();
  }
  return trace;
}

} // namespace runner
