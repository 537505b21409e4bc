// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/experiment.h"

#include "reports/triage/signature.h"

#include <cassert>

namespace reports {
namespace {

using checker::Kind;
using corpus::Program;
using runner::Output;
using runner::WorkerDied;

Reaction reactionOf(const WorkerDied &died) {
  Reaction reaction;
  reaction.failure = died.hung ? Kind::hang : Kind::crash;
  reaction.output.status = Output::Status::crash;
  reaction.output.detail = died.how;
  reaction.output.pass = died.pass;
  return reaction;
}

Reaction reactionOf(Output output) {
  Reaction reaction;
  if (output.status == Output::Status::crash)
    reaction.failure = Kind::crash;
  else if (output.status == Output::Status::invalid)
    reaction.failure = Kind::invalid;
  reaction.output = std::move(output);
  return reaction;
}

/// The kind of a pair that is wrong.
std::optional<Kind> wrongKind(checker::Checker &checker, const Program &source,
                              const Program &target,
                              const checker::Semantics &semantics) {
  const checker::Verdict verdict =
      checker.check(source, target, semantics, checker::WantWitness::no);
  if (verdict.word != checker::VerdictWord::wrong)
    return std::nullopt;
  return verdict.kind;
}

/// What a failed run says of `before`, on which `pass` was running.
Blame blameFor(const Reaction &reaction, std::string_view pass,
               const Program &before) {
  Blame result;
  result.symptom.pass = canonicalPass(pass);
  result.symptom.kind = *reaction.failure;
  if (reaction.failure == Kind::crash)
    result.symptom.detail = reaction.output.detail;
  else
    result.message = reaction.output.detail;
  result.before = before;
  return result;
}

} // namespace

std::vector<Reaction> react(Subject &subject, std::span<const Program> programs,
                            const runner::Pipeline &pipeline) {
  std::vector<Reaction> reactions;
  if (programs.empty())
    return reactions;
  auto answer = subject.optimize(programs, pipeline);
  if (auto *outputs = std::get_if<std::vector<Output>>(&answer)) {
    assert(outputs->size() == programs.size());
    for (Output &output : *outputs)
      reactions.push_back(reactionOf(std::move(output)));
    return reactions;
  }
  if (programs.size() == 1)
    return {reactionOf(std::get<WorkerDied>(answer))};
  for (const Program &program : programs)
    reactions.push_back(react(subject, {&program, 1}, pipeline).front());
  return reactions;
}

std::optional<Blame> blame(const Program &source,
                           const runner::Answer<runner::Trace> &answer,
                           const std::optional<checker::Semantics> &semantics,
                           checker::Checker &checker) {
  const auto *trace = std::get_if<runner::Trace>(&answer);
  if (trace == nullptr) {
    const auto &died = std::get<WorkerDied>(answer);
    return semantics
               ? std::nullopt
               : std::optional(blameFor(reactionOf(died), died.pass, source));
  }
  const Program *before = &source;
  for (const runner::Step &step : trace->steps) {
    // What cannot be lifted is compared together with the next step.
    if (!step.changed || !step.after)
      continue;
    if (semantics)
      if (const auto kind =
              wrongKind(checker, *before, *step.after, *semantics))
        return Blame{{std::string(canonicalPass(step.pass)), *kind, ""},
                     *before,
                     *step.after,
                     "",
                     step.index};
    before = &*step.after;
  }
  const Reaction reaction = reactionOf(trace->end);
  if (semantics || !reaction.failure)
    return std::nullopt;
  std::string pass = reaction.output.pass;
  unsigned index = trace->crashIndex;
  // The verifier looks at the end only; the last change is suspected.
  for (auto step = trace->steps.rbegin();
       pass.empty() && step != trace->steps.rend(); ++step)
    if (step->changed) {
      pass = step->pass;
      index = step->index;
    }
  Blame found = blameFor(reaction, pass, *before);
  found.index = index;
  return found;
}

std::vector<std::optional<Blame>>
Experiment::run(std::span<const Program> programs) {
  std::vector<std::optional<Blame>> results;
  if (isCulpritAlone_) {
    const auto reactions = react(subject_, programs, pipeline_);
    for (std::size_t i = 0; i < programs.size(); ++i)
      results.push_back(judge(programs[i], reactions[i]));
    return results;
  }
  for (const Program &program : programs) {
    auto found = blame(program, subject_.trace(program, pipeline_), semantics_,
                       checker_);
    if (found && found->symptom != symptom_)
      found.reset();
    results.push_back(std::move(found));
  }
  return results;
}

std::optional<Blame> Experiment::judge(const Program &program,
                                       const Reaction &reaction) {
  if (reaction.failure) {
    Blame found = blameFor(reaction, symptom_.pass, program);
    return found.symptom == symptom_ ? std::optional(std::move(found))
                                     : std::nullopt;
  }
  if (!semantics_ || reaction.output.status != Output::Status::ok ||
      wrongKind(checker_, program, reaction.output.program, *semantics_) !=
          symptom_.kind)
    return std::nullopt;
  return Blame{symptom_, program, reaction.output.program, "", 0};
}

} // namespace reports
