// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/examine.h"

#include "checker/memory/windows.h"
#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "corpus/program/retype.h"
#include "reports/triage/experiment.h"
#include "reports/triage/repair.h"
#include "runner/crash_text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>

namespace reports {
namespace {

using checker::Kind;
using checker::VerdictWord;
using corpus::Program;
using runner::Output;

/// Of one check: a hundredth of a second or so, and a fifth beside memory.
checker::Limits limits() {
  return {1 << 18, std::uint64_t(1) << 22, 10'000, 256, {200'000, 4}};
}
/// After so many checks of a bug that are not decided, no more are tried.
constexpr unsigned patience = 2;
/// Of vectors; 0 stands for scalars.
constexpr std::array<unsigned, 7> laneCounts = {0, 1, 2, 3, 4, 8, 16};
/// At these widths and the bug's own, a repair and the flags must hold.
constexpr std::array<unsigned, 4> probes = {4, 8, 32, 64};

bool isVerdict(Kind kind) { return kind < Kind::crash; }

/// Whether its function shows it each time, and without a time limit.
bool showsAgain(const Bug &bug) {
  return bug.kind != Kind::hang && bug.kind != Kind::nondeterministic &&
         runner::isRepeated(bug.detail);
}

/// Numbers that are special at any width, the most telling first, and poison.
std::vector<checker::ValueSet> tellingValues(corpus::Type type,
                                             checker::Inputs inputs) {
  const std::uint64_t mask = type.mask();
  const std::uint64_t minimum = (mask >> 1) + 1;
  std::vector<checker::ValueSet> values;
  if (inputs != checker::Inputs::defined)
    values.push_back({checker::Element::poisonOf(type)});
  for (const std::uint64_t bits :
       {mask, minimum, std::uint64_t(1) & mask, std::uint64_t(0), minimum - 1,
        std::uint64_t(2) & mask, mask - 1, (minimum >> 1) | minimum})
    if (checker::ValueSet set = {checker::Element::number(bits)};
        std::find(values.begin(), values.end(), set) == values.end())
      values.push_back(std::move(set));
  return values;
}

/// Whether one of a thousand inputs already shows that the pair is wrong:
/// quick where a solver may take long, at multiplications and divisions. Of
/// straight lines, where no run is long.
bool isWrongOnTellingInput(const Program &source, const Program &target,
                           const checker::Semantics &semantics) {
  constexpr std::uint64_t tried = 1000;
  constexpr std::uint64_t stride = 0x9e3779b1; // a prime: no input comes twice
  const auto isTaken = [](const Program &program) {
    const auto &parameters = program.signature.parameters;
    return program.isStraightLine() && program.callees.empty() &&
           !checker::touchesMemory(program) &&
           std::all_of(parameters.begin(), parameters.end(),
                       [](const corpus::Parameter &parameter) {
                         return parameter.type.isInteger();
                       });
  };
  if (!isTaken(source) || !isTaken(target))
    return false;
  std::vector<std::vector<checker::ValueSet>> choices;
  std::uint64_t count = 1;
  for (const corpus::Parameter &parameter : source.signature.parameters) {
    choices.push_back(tellingValues(parameter.type, semantics.inputs));
    count = std::min(count * choices.back().size(), std::uint64_t(1) << 32);
  }
  for (std::uint64_t i = 0; i < std::min(tried, count); ++i) {
    checker::Input input;
    std::uint64_t rest = i * stride % count;
    for (const auto &values : choices) {
      input.push_back(values[rest % values.size()]);
      rest /= values.size();
    }
    if (checker::kindOfInput(source, target, semantics, input))
      return true;
  }
  return false;
}

} // namespace

Examiner::Examiner(OpenSubjects &subjects, std::span<const unsigned> releases)
    : subjects_(subjects), releases_(releases.begin(), releases.end()),
      checker_(limits()) {}

Examiner::Answer Examiner::judge(const Program &source, const Program &target,
                                 const Bug &bug) {
  if (source == target)
    return Answer::right;
  const auto semantics = checker::parseSemantics(bug.checkedUnder);
  if (undecided_ < patience) {
    const checker::Verdict verdict =
        checker_.check(source, target, *semantics, checker::WantWitness::no);
    if (verdict.word == VerdictWord::wrong)
      return Answer::wrong;
    if (verdict.word == VerdictWord::refines)
      return Answer::right;
    if (verdict.word == VerdictWord::unsupported)
      return Answer::unknown;
    ++undecided_;
  }
  return isWrongOnTellingInput(source, target, *semantics) ? Answer::wrong
                                                           : Answer::undecided;
}

bool Examiner::isRight(const Shown &pair, const Bug &bug) {
  return judge(pair.source, pair.target, bug) == Answer::right;
}

Examiner::Answer Examiner::answerInPipeline(const Bug &bug,
                                            const runner::Pipeline &pipeline,
                                            Subject &subject) {
  const auto trace = subject.trace(*bug.input, pipeline);
  if (const auto *steps = std::get_if<runner::Trace>(&trace);
      steps != nullptr && steps->end.status == Output::Status::unsupported &&
      steps->steps.empty())
    return Answer::unknown;
  std::optional<checker::Semantics> semantics;
  if (isVerdict(bug.kind))
    semantics = *checker::parseSemantics(bug.checkedUnder);
  const auto found = blame(*bug.input, trace, semantics, checker_);
  if (!found)
    return Answer::right;
  const auto &symptom = found->symptom;
  if (!isVerdict(symptom.kind) && symptom.kind != bug.kind)
    return Answer::otherwise;
  return symptom.pass == bug.pass && symptom.kind == bug.kind ? Answer::wrong
                                                              : Answer::right;
}

Examiner::Answer Examiner::answerOf(const Bug &bug, const Reaction &reaction) {
  if (reaction.failure)
    return reaction.failure == bug.kind ? Answer::wrong : Answer::otherwise;
  if (!isVerdict(bug.kind))
    return reaction.output.status == Output::Status::unsupported
               ? Answer::unknown
               : Answer::right;
  if (reaction.output.status != Output::Status::ok)
    return Answer::unknown;
  undecided_ = 0;
  return judge(bug.source, reaction.output.program, bug);
}

std::vector<Examiner::Answer>
Examiner::answersOf(std::span<Bug *const> bugs,
                    const runner::Pipeline &pipeline, Subject &subject) {
  std::vector<Answer> answers(bugs.size(), Answer::unknown);
  const auto description = subject.describe(pipeline);
  const auto *info =
      std::get_if<corpus::Result<runner::PipelineInfo>>(&description);
  if (info == nullptr || !*info)
    return answers;
  std::vector<Program> programs;
  for (const Bug *bug : bugs)
    programs.push_back(bug->source);
  const auto reactions = react(subject, programs, pipeline);
  for (std::size_t i = 0; i < bugs.size(); ++i)
    answers[i] = bugs[i]->input ? answerInPipeline(*bugs[i], pipeline, subject)
                                : answerOf(*bugs[i], reactions[i]);
  return answers;
}

void Examiner::findWindows(std::span<Bug *const> bugs) {
  std::vector<std::vector<Bug *>> groups;
  for (Bug *bug : bugs) {
    bug->window = {};
    bug->window.wrong = bug->releases;
    if (!showsAgain(*bug))
      continue;
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto &group) {
          return group.front()->pipeline == bug->pipeline;
        });
    if (same == groups.end())
      groups.push_back({bug});
    else
      same->push_back(bug);
  }
  for (const std::vector<Bug *> &group : groups)
    for (const unsigned release : releases_) {
      std::vector<Bug *> asked;
      for (Bug *bug : group)
        if (std::count(bug->releases.begin(), bug->releases.end(), release) ==
            0)
          asked.push_back(bug);
      if (asked.empty())
        continue;
      // A developer's own LLVM is asked nothing about other releases.
      runner::Pipeline pipeline = asked.front()->pipeline;
      pipeline.opt.reset();
      pipeline.build.reset();
      const auto subject = subjects_.of(release, pipeline);
      if (!subject)
        continue;
      const auto answers = answersOf(asked, pipeline, **subject);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        Window &window = asked[i]->window;
        (answers[i] == Answer::wrong       ? window.wrong
         : answers[i] == Answer::right     ? window.right
         : answers[i] == Answer::undecided ? window.undecided
         : answers[i] == Answer::otherwise ? window.otherwise
                                           : window.cannotExpress)
            .push_back(release);
      }
    }
  for (Bug *bug : bugs)
    std::sort(bug->window.wrong.begin(), bug->window.wrong.end());
}

std::vector<Examiner::Answer>
Examiner::ask(const Bug &bug, std::span<const Program> programs,
              std::vector<std::optional<Shown>> &shown) {
  std::vector<Answer> answers(programs.size(), Answer::unknown);
  shown.assign(programs.size(), std::nullopt);
  const auto subject = subjects_.of(bug.release, bug.pipeline);
  assert(subject && "it showed the bug");
  const auto reactions = react(**subject, programs, bug.pipeline);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const Reaction &reaction = reactions[i];
    if (!isVerdict(bug.kind)) {
      answers[i] = reaction.failure == bug.kind ? Answer::wrong : Answer::right;
    } else if (reaction.output.status == Output::Status::ok &&
               !reaction.failure) {
      answers[i] = judge(programs[i], reaction.output.program, bug);
      if (answers[i] == Answer::wrong)
        shown[i].emplace(Shown{programs[i], reaction.output.program});
    }
  }
  return answers;
}

void Examiner::findWidths(Bug &bug) {
  const auto width = corpus::mainWidth(bug.source);
  if (!width)
    return;
  std::map<unsigned, Answer> found = {{*width, Answer::wrong}};
  std::set<corpus::Bytes> seen; // the rules may agree
  for (const corpus::ConstantRule rule : corpus::constantRules) {
    undecided_ = 0;
    std::vector<Program> programs;
    std::vector<unsigned> widths;
    for (unsigned w = 1; w <= corpus::Type::maximumWidth; ++w) {
      const auto known = found.find(w);
      if (known != found.end() && known->second == Answer::wrong)
        continue;
      auto program = corpus::atWidth(bug.source, w, rule);
      if (!program || !seen.insert(corpus::encode(*program)).second)
        continue;
      programs.push_back(std::move(*program));
      widths.push_back(w);
    }
    std::vector<std::optional<Shown>> shown;
    const auto answers = ask(bug, programs, shown);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const auto entry = found.try_emplace(widths[i], answers[i]).first;
      // One way to write it at that width is enough.
      if (answers[i] == Answer::wrong)
        entry->second = Answer::wrong;
      if (shown[i] &&
          std::find(probes.begin(), probes.end(), widths[i]) != probes.end())
        shown_.push_back(std::move(*shown[i]));
    }
  }
  for (unsigned w = 1; w <= corpus::Type::maximumWidth; ++w) {
    const auto known = found.find(w);
    const Answer answer =
        known == found.end() ? Answer::unknown : known->second;
    (answer == Answer::wrong   ? bug.widths.wrong
     : answer == Answer::right ? bug.widths.right
                               : bug.widths.unknown)
        .push_back(w);
  }
}

void Examiner::findLanes(Bug &bug) {
  const auto own = corpus::mainLanes(bug.source);
  if (!own)
    return;
  undecided_ = 0;
  bug.lanes.wrong.push_back(*own);
  std::vector<Program> programs;
  std::vector<unsigned> counts;
  for (const unsigned count : laneCounts) {
    if (count == *own)
      continue;
    auto program = count == 0 ? corpus::onScalars(bug.source)
                              : corpus::atLanes(bug.source, count);
    if (!program) {
      bug.lanes.unknown.push_back(count);
      continue;
    }
    programs.push_back(std::move(*program));
    counts.push_back(count);
  }
  std::vector<std::optional<Shown>> shown;
  const auto answers = ask(bug, programs, shown);
  for (std::size_t i = 0; i < counts.size(); ++i)
    (answers[i] == Answer::wrong   ? bug.lanes.wrong
     : answers[i] == Answer::right ? bug.lanes.right
                                   : bug.lanes.unknown)
        .push_back(counts[i]);
  for (auto *lanes : {&bug.lanes.wrong, &bug.lanes.right, &bug.lanes.unknown})
    std::sort(lanes->begin(), lanes->end());
}

void Examiner::findRepair(Bug &bug) {
  const Program &target = *bug.target;
  const auto sameShape = [&](const Program &other) {
    return std::equal(target.instructions.begin(), target.instructions.end(),
                      other.instructions.begin(), other.instructions.end(),
                      [](const auto &a, const auto &b) {
                        return a.opcode == b.opcode && a.flags == b.flags;
                      });
  };
  for (const Edit &edit : repairsOf(target)) {
    auto repaired = edit.apply(target);
    if (!repaired || !isRight({bug.source, *repaired}, bug))
      continue;
    const bool holds =
        std::all_of(shown_.begin(), shown_.end(), [&](const Shown &shown) {
          if (!sameShape(shown.target))
            return true;
          const auto other = edit.apply(shown.target);
          return other && judge(shown.source, *other, bug) != Answer::wrong;
        });
    if (!holds)
      continue;
    bug.repair = Repair{edit.text, std::move(*repaired)};
    return;
  }
}

void Examiner::findFlags(Bug &bug) {
  std::vector<Program> without;
  std::vector<SourceFlag> present;
  for (std::size_t i = 0; i < bug.source.instructions.size(); ++i) {
    const corpus::Instruction &instruction = bug.source.instructions[i];
    for (const corpus::FlagInfo &row : corpus::flagTable) {
      if (!corpus::info(instruction.opcode).allowedFlags.has(row.flag))
        continue;
      const bool has = instruction.flags.has(row.flag);
      SourceFlag flag{std::string(row.spelling), corpus::resultName(i),
                      has ? SourceFlag::Role::needed : SourceFlag::Role::cure};
      const auto changed = [&](const Program &source) {
        Program out = source;
        corpus::Flags &flags = out.instructions[i].flags;
        flags = has ? flags.without(row.flag) : flags | row.flag;
        return out;
      };
      if (has) {
        without.push_back(changed(bug.source));
        present.push_back(std::move(flag));
      } else if (bug.target &&
                 isRight({changed(bug.source), *bug.target}, bug) &&
                 std::all_of(shown_.begin(), shown_.end(),
                             [&](const Shown &shown) {
                               return judge(changed(shown.source), shown.target,
                                            bug) != Answer::wrong;
                             })) {
        bug.flags.push_back(std::move(flag));
      }
    }
  }
  std::vector<std::optional<Shown>> ignored;
  const auto answers = ask(bug, without, ignored);
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i] == Answer::right)
      bug.flags.push_back(std::move(present[i]));
}

void Examiner::examine(Bug &bug) {
  shown_.clear();
  bug.widths = {};
  bug.lanes = {};
  bug.repair.reset();
  bug.flags.clear();
  // The rest asks the culprit alone.
  if (bug.input || bug.kind == Kind::invalid || !showsAgain(bug))
    return;
  findWidths(bug);
  findLanes(bug);
  undecided_ = 0;
  if (bug.target)
    findRepair(bug);
  undecided_ = 0;
  findFlags(bug);
}

} // namespace reports
