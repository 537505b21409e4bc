// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/exact/reference.h"

#include "checker/exact/lanes.h"
#include "checker/exact/run.h"
#include "checker/value/samples.h"
#include "corpus/program/graph.h"
#include "corpus/program/library.h"
#include "corpus/program/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace {

bool isTaken(corpus::Type type) {
  for (unsigned i = 0; i < type.lanes(); ++i)
    if (!type.lane(i).isInteger())
      return type.isPointer();
  return true;
}

/// What is no operation on numbers, and known all the same.
bool isStructure(Opcode opcode) {
  switch (opcode) {
  case Opcode::alloca_:
  case Opcode::load:
  case Opcode::store:
  case Opcode::getelementptr:
  case Opcode::memcpy_:
  case Opcode::memmove_:
  case Opcode::memset_:
  case Opcode::lifetimeStart:
  case Opcode::lifetimeEnd:
  case Opcode::freeze:
  case Opcode::phi:
  case Opcode::call:
  case Opcode::ret:
  case Opcode::br:
  case Opcode::switch_:
  case Opcode::unreachable:
    return true;
  default:
    return false;
  }
}

constexpr std::uint32_t memoryAttributes =
    corpus::attribute::memoryNone | corpus::attribute::memoryRead;

bool isTraced(const Program &program, const Instruction &instruction) {
  if (instruction.opcode != Opcode::call)
    return false;
  return !isWithoutEffect(functionAttributeBits(program, instruction),
                          !instruction.type.isVoid());
}

std::string formatValue(const ValueSet &set, corpus::Type type,
                        const Memory &memory) {
  if (!type.isPointer() || set.empty())
    return format(set, type);
  std::string text;
  for (const Element &element : set)
    text += fmt::format("{}{}", text.empty() ? "" : " or ",
                        formatPointer(memory, element));
  return text;
}

/// How the target goes beyond what the source may do.
class Comparison {
public:
  Comparison(const Run &source, const Run &target)
      : source_(source), target_(target) {}

  /// False when sets in memory were too large to compare; then there is no
  /// answer.
  bool complete() const { return complete_; }
  /// Whether only what is wrong counts.
  bool isOpen() const { return isOpen_; }

  /// The worst kind of a target outcome that no source outcome covers.
  std::optional<Kind> worst();
  /// States of the target on the way to that outcome, the last one final.
  const std::vector<std::size_t> &path() const { return path_; }
  const std::string &outcome() const { return outcome_; }

private:
  /// States of the source behind one trace, closed under silent transitions:
  /// what they can do together. Every place of a loop shares one.
  struct Sources {
    bool isEmpty = true;
    bool reachesUb = false;
    bool diverges = false;
    bool returns = false;
    std::set<ValueSet> returned;
    std::vector<const Transition *> ends; ///< those that return
    std::vector<const Transition *> calls;
  };
  /// A state of the target, and those of the source behind the same trace.
  struct Place {
    std::size_t target;
    const Sources *sources;
    bool sourceExits; ///< the source may not come back from the last call
    friend auto operator<=>(const Place &, const Place &) = default; // NOLINT
  };
  struct Visit {
    Place place;
    std::size_t parent;
    std::vector<std::size_t> next; ///< visits
  };

  /// Of these states and all that silent transitions reach.
  const Sources &closure(std::vector<std::size_t> states);
  static bool sourceMayEndHere(const Visit &visit);
  bool isMorePoisonThanAny(const ValueSet &target,
                           const Sources &sources) const;
  void push(const Place &place, std::size_t parent);
  void step(std::size_t visit, const Transition &transition);
  bool isPassedTheSame(const CallEvent &call, const CallEvent &event);
  bool matches(const CallEvent &call, const CallEvent &event);
  void stepCall(std::size_t visit, const Transition &transition);
  void stepOptionalCall(std::size_t visit, const Transition &transition);
  void stepReturn(std::size_t visit, const Transition &transition);
  std::optional<Kind> compareEnds(const Transition &target,
                                  const Transition &source);
  /// What the call of the target sees of memory refines that of the source.
  bool refinesAtCall(const CallMemory &target, const CallMemory &source);
  bool refinesOutside(const Memory &target, const Memory &source);
  void findEndlessCalls();
  void report(Kind kind, std::size_t visit, std::size_t finalState,
              std::string_view outcome);

  const Run &source_;
  const Run &target_;
  std::map<std::set<std::size_t>, Sources> closures_;
  std::vector<Visit> visits_;
  std::map<Place, std::size_t> seen_; ///< its visit
  std::optional<Kind> worst_;
  std::vector<std::size_t> path_;
  std::string outcome_;
  bool complete_ = true;
  bool isOpen_ = false;
};

const Comparison::Sources &
Comparison::closure(std::vector<std::size_t> states) {
  std::set<std::size_t> members(states.begin(), states.end());
  while (!states.empty()) {
    const std::size_t state = states.back();
    states.pop_back();
    for (const Transition &transition : source_.transitions(state))
      if ((transition.kind == Transition::Kind::silent ||
           transition.call.isOptional) &&
          members.insert(transition.to).second)
        states.push_back(transition.to);
  }
  const auto [found, isNew] = closures_.try_emplace(std::move(members));
  Sources &sources = found->second;
  if (!isNew)
    return sources;
  for (const std::size_t state : found->first) {
    sources.isEmpty = false;
    sources.reachesUb |= source_.reachesUb(state);
    sources.diverges |= source_.diverges(state);
    for (const Transition &transition : source_.transitions(state)) {
      if (transition.kind == Transition::Kind::call)
        sources.calls.push_back(&transition);
      if (transition.kind != Transition::Kind::returns)
        continue;
      sources.returns = true;
      sources.returned.insert(transition.returned);
      sources.ends.push_back(&transition);
    }
  }
  return sources;
}

/// Requires a set that is not covered. With several lanes: an element of it has
/// poison in a lane where each element that the source may return has none;
/// where poison is of bits, any element has any.
bool Comparison::isMorePoisonThanAny(const ValueSet &target,
                                     const Sources &sources) const {
  if (target.front().lanes() == 1 || target_.hasPoisonBits())
    return hasPoison(target);
  return std::any_of(target.begin(), target.end(), [&](const Element &t) {
    for (const ValueSet &set : sources.returned)
      for (const Element &s : set)
        if (!isMorePoison(t, s))
          return false;
    return true;
  });
}

/// It has an outcome with just the trace of this visit.
bool Comparison::sourceMayEndHere(const Visit &visit) {
  const Sources &sources = *visit.place.sources;
  return visit.place.sourceExits || sources.diverges || sources.returns;
}

void Comparison::push(const Place &place, std::size_t parent) {
  if (place.sources->reachesUb)
    return;
  const auto [found, isNew] = seen_.try_emplace(place, visits_.size());
  if (isNew)
    visits_.push_back({place, parent, {}});
  if (!isNew || found->second != 0) // the first has no parent
    visits_[parent].next.push_back(found->second);
}

void Comparison::report(Kind kind, std::size_t visit, std::size_t finalState,
                        std::string_view outcome) {
  if (worst_ && *worst_ <= kind)
    return;
  worst_ = kind;
  outcome_ = outcome;
  path_ = {finalState};
  for (std::size_t at = visit;; at = visits_[at].parent) {
    path_.push_back(visits_[at].place.target);
    if (at == 0)
      break;
  }
  std::reverse(path_.begin(), path_.end());
}

Kind kindOfReturned(const ValueSet &returned) {
  return hasPoison(returned)   ? Kind::morePoison
         : returned.size() > 1 ? Kind::moreUndef
                               : Kind::value;
}

bool Comparison::refinesOutside(const Memory &target, const Memory &source) {
  std::vector<ByteRange> ranges;
  for (std::size_t i = 0; i < target.blocks.size() && i < source.blocks.size();
       ++i)
    if (!target.blocks[i].isLocal() && !source.blocks[i].isLocal() &&
        source.blocks[i].isAlive)
      ranges.push_back({i, 0, i, 0, source.blocks[i].bytes.size()});
  const MemoryComparison bytes =
      compareContents(target, source, ranges, source_.semantics());
  complete_ = complete_ && !bytes.tooMany;
  return !bytes.kind;
}

bool Comparison::refinesAtCall(const CallMemory &target,
                               const CallMemory &source) {
  if (target.isTailWithLocal && !source.isTailWithLocal)
    return false;
  for (std::size_t i = 0; i < target.forbidden.size(); ++i)
    if ((target.forbidden[i] & ~source.forbidden[i]) != 0)
      return false;
  std::vector<ByteRange> ranges;
  for (const CallMemory::Shown &s : source.shown) {
    const auto found = std::find_if(
        target.shown.begin(), target.shown.end(),
        [&](const CallMemory::Shown &t) { return t.key == s.key; });
    const bool isOurs = (s.key & (CallSlot::byArgument | CallSlot::local)) != 0;
    const bool isTouched = s.isRead || s.isWritten;
    if (found == target.shown.end()) {
      if (isOurs || isTouched)
        return false;
      continue;
    }
    // What the source lets the callee do is not UB in the target.
    if ((s.isRead && (found->permitted & corpus::memory::read) == 0) ||
        (s.isWritten && (found->permitted & corpus::memory::write) == 0))
      return false;
    const MemoryBlock &ours = source.before.blocks[s.block];
    const MemoryBlock &theirs = target.before.blocks[found->block];
    const std::uint64_t size = ours.bytes.size();
    // All that the callee could touch is still there, and where it was.
    const std::uint64_t shift = found->origin - s.origin;
    const bool isSameLocal =
        (s.key & CallSlot::local) == 0 || theirs.bytes.size() == size;
    const std::uint64_t alignment = ours.isLocal() ? ours.alignment : 1;
    if (found->origin < s.origin || !theirs.holds(shift, size) ||
        !isSameLocal || (s.isWritten && !theirs.isWritable) ||
        !theirs.isAligned(shift, alignment))
      return false;
    if (s.isRead)
      ranges.push_back({found->block, shift, s.block, 0, size});
  }
  const MemoryComparison bytes = compareContents(target.before, source.before,
                                                 ranges, source_.semantics());
  complete_ = complete_ && !bytes.tooMany;
  return !bytes.kind;
}

/// Of returned value and memory, what the target shows and the source does not.
std::optional<Kind> Comparison::compareEnds(const Transition &target,
                                            const Transition &source) {
  std::optional<Kind> kind;
  // Where the source returns a copy that must not be used, so may the target.
  const bool isUseless =
      std::any_of(source.returned.begin(), source.returned.end(),
                  [](const Element &element) { return element.isUseless; });
  ValueSet returned = target.returned;
  for (Element &element : returned)
    element.isUseless = element.isUseless && !isUseless;
  ValueSet allowed = source.returned;
  for (Element &element : allowed)
    element.isUseless = false;
  if (!refines(returned, allowed))
    kind = kindOfReturned(target.returned);
  const Memory &after = target_.memory(target.to);
  const Memory &before = source_.memory(source.to);
  std::vector<ByteRange> ranges;
  for (std::size_t i = 0; i < after.blocks.size() && i < before.blocks.size();
       ++i)
    if (!after.blocks[i].isLocal() && !before.blocks[i].isLocal() &&
        before.blocks[i].isAlive)
      ranges.push_back({i, 0, i, 0, before.blocks[i].bytes.size()});
  const MemoryComparison bytes =
      compareContents(after, before, ranges, source_.semantics());
  complete_ = complete_ && !bytes.tooMany;
  if (bytes.kind && (!kind || *bytes.kind < *kind))
    kind = bytes.kind;
  return kind;
}

void Comparison::stepReturn(std::size_t visit, const Transition &transition) {
  const Sources &sources = *visits_[visit].place.sources;
  if (target_.hasMemory() && sources.returns) {
    // Of the ways in which the source may go the closest one says the kind.
    std::optional<Kind> closest;
    for (const Transition *end : sources.ends) {
      const auto kind = compareEnds(transition, *end);
      if (!kind)
        return;
      if (!closest || *closest < *kind)
        closest = kind;
    }
    return report(*closest, visit, transition.to, "returns");
  }
  if (std::any_of(sources.returned.begin(), sources.returned.end(),
                  [&](const ValueSet &returned) {
                    return refines(transition.returned, returned);
                  }))
    return;
  const Kind kind = !sourceMayEndHere(visits_[visit]) ? Kind::calls
                    : !sources.returns                ? Kind::returns
                    : isMorePoisonThanAny(transition.returned, sources)
                        ? Kind::morePoison
                    : transition.returned.size() > 1 ? Kind::moreUndef
                                                     : Kind::value;
  report(kind, visit, transition.to, "returns");
}

bool Comparison::isPassedTheSame(const CallEvent &call,
                                 const CallEvent &event) {
  if (event.callee->name != call.callee->name ||
      event.arguments.size() != call.arguments.size())
    return false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (!refines(call.arguments[i], event.arguments[i]))
      return false;
  return true;
}

bool Comparison::matches(const CallEvent &call, const CallEvent &event) {
  return isPassedTheSame(call, event) &&
         (!call.memory || refinesAtCall(*call.memory, *event.memory));
}

/// What an optional call leaves behind has the number of the source's call that
/// it stands for. Where one before it was dropped numbers say nothing. Where it
/// sees what that call does not, only what is wrong counts: that it leaves
/// bytes as they were is one way in which this shows, and there are others.
void Comparison::stepOptionalCall(std::size_t visit,
                                  const Transition &transition) {
  const CallEvent &call = transition.call;
  const Sources &sources = *visits_[visit].place.sources;
  const auto &shown = call.memory->shown;
  const bool writes =
      std::any_of(shown.begin(), shown.end(),
                  [](const auto &block) { return block.isWritten; });
  if (writes && !sources.reachesUb) {
    bool isSeen = false;
    bool isAlike = false;
    bool areOthersAlike = false;
    for (const Transition *other : sources.calls) {
      const bool isPassed = isPassedTheSame(call, other->call);
      if (other->call.position != call.position) {
        areOthersAlike |= isPassed;
        continue;
      }
      isAlike |= isPassed;
      isSeen = isSeen || matches(call, other->call);
    }
    const auto calls = [&](const Run &run) {
      const auto &all = run.program().instructions;
      return std::count_if(all.begin(), all.end(), [&](const auto &each) {
        return each.opcode == corpus::Opcode::call &&
               run.program().callees[each.callee].name == call.callee->name;
      });
    };
    if (!isAlike || (areOthersAlike && calls(source_) != calls(target_))) {
      complete_ = false;
      return;
    }
    isOpen_ = isOpen_ || !isSeen;
  }
  push({transition.to, visits_[visit].place.sources,
        visits_[visit].place.sourceExits},
       visit);
}

void Comparison::stepCall(std::size_t visit, const Transition &transition) {
  const CallEvent &call = transition.call;
  std::vector<std::size_t> after;
  unsigned sourceExits = 0;
  unsigned sourceUb = 0;
  for (const Transition *other : visits_[visit].place.sources->calls) {
    const CallEvent &event = other->call;
    if (!matches(call, event))
      continue;
    after.push_back(other->to);
    // An unwinding call shows all of memory that is not ours.
    const bool unwindsAlike =
        !call.memory ||
        refinesOutside(call.memory->unwound, event.memory->unwound);
    sourceUb |= exit_way::all & ~event.leaves();
    sourceExits |=
        unwindsAlike ? event.leaves() : event.leaves() & ~exit_way::unwinding;
  }
  // It is the callee that comes back or not: for each way there must be a run
  // of the source that ends so too, or is UB then.
  const unsigned open = exit_way::all & ~sourceUb;
  const Sources &sources = closure(std::move(after));
  if ((call.exitUb & open) != 0)
    report(Kind::moreUb, visit, transition.to, "UB");
  else if (!sources.isEmpty && (~call.exits & open) != 0)
    report(Kind::calls, visit, transition.to,
           "UB if the callee does not return");
  else if ((call.exits & open & ~sourceExits) != 0)
    report(Kind::calls, visit, transition.to, "does not return from the call");
  else if (sources.isEmpty) // however it goes on
    report(Kind::calls, visit, transition.to, "");
  push({transition.to, &sources, sourceExits != 0}, visit);
}

void Comparison::step(std::size_t visit, const Transition &transition) {
  switch (transition.kind) {
  case Transition::Kind::silent:
    return push({transition.to, visits_[visit].place.sources,
                 visits_[visit].place.sourceExits},
                visit);
  case Transition::Kind::ub:
    return report(Kind::moreUb, visit, transition.to, "UB");
  case Transition::Kind::returns:
    return stepReturn(visit, transition);
  case Transition::Kind::call:
    if (transition.call.isOptional)
      stepOptionalCall(visit, transition);
    else
      stepCall(visit, transition);
    return;
  }
}

/// A target that must return and does not, for all its calls: what is left when
/// visits without a next one are taken away again and again. Where the source
/// must return as well, endless runs of its own with the same trace are UB too.
void Comparison::findEndlessCalls() {
  if (!target_.mustReturn())
    return;
  std::vector<std::vector<std::size_t>> previous(visits_.size());
  std::vector<std::size_t> left(visits_.size(), 0);
  std::vector<std::size_t> todo;
  for (std::size_t visit = 0; visit < visits_.size(); ++visit) {
    const bool mayFollow =
        source_.mustReturn() && !visits_[visit].place.sources->isEmpty;
    if (!mayFollow)
      left[visit] = visits_[visit].next.size();
    for (std::size_t next : visits_[visit].next)
      previous[next].push_back(visit);
    if (left[visit] == 0)
      todo.push_back(visit);
  }
  while (!todo.empty()) {
    const std::size_t visit = todo.back();
    todo.pop_back();
    for (std::size_t from : previous[visit])
      if (left[from] != 0 && --left[from] == 0)
        todo.push_back(from);
  }
  const auto endless = std::find_if(left.begin(), left.end(),
                                    [](std::size_t n) { return n != 0; });
  if (endless != left.end()) {
    const auto visit = static_cast<std::size_t>(endless - left.begin());
    report(Kind::moreUb, visit, visits_[visit].place.target,
           "UB (it must return)");
  }
}

std::optional<Kind> Comparison::worst() {
  push({Run::start, &closure({Run::start}), false}, 0);
  for (std::size_t visit = 0; visit < visits_.size(); ++visit) {
    const std::size_t target = visits_[visit].place.target;
    if (target_.divergesIntoUb(target))
      report(Kind::moreUb, visit, target, "UB (it must make progress)");
    if (target_.diverges(target) && !visits_[visit].place.sources->diverges)
      report(sourceMayEndHere(visits_[visit]) ? Kind::diverges : Kind::calls,
             visit, target, "loops forever");
    for (const Transition &transition : target_.transitions(target))
      step(visit, transition);
  }
  findEndlessCalls();
  return worst_;
}

std::string describeCall(const CallEvent &call) {
  static const Memory nothing;
  const Memory &memory = call.memory ? call.memory->before : nothing;
  std::string text = fmt::format("calls @{}(", call.callee->name);
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ",
                        formatValue(call.arguments[i],
                                    call.callee->signature.parameters[i].type,
                                    memory));
  return text + ")";
}

std::string describeReturn(const Program &program, const ValueSet &returned,
                           const Memory &memory) {
  if (program.signature.returnType.isVoid())
    return "returns";
  return fmt::format(
      "returns {}",
      formatValue(returned, program.signature.returnType, memory));
}

/// What the blocks are, and what is in them.
void addMemory(std::vector<NamedValue> &values, const Memory &memory,
               bool isInput) {
  for (std::size_t i = 0; i < memory.blocks.size(); ++i) {
    const MemoryBlock &block = memory.blocks[i];
    if (block.bytes.empty())
      continue;
    std::string text = formatBytes(memory, i);
    if (isInput)
      text += fmt::format(" (at {:#x}{})", block.base,
                          block.isWritable ? "" : ", read-only");
    else if (!block.isAlive)
      text += " (dead)";
    values.push_back({nameOfBlock(memory, i),
                      fmt::format("{} byte{}", block.bytes.size(),
                                  block.bytes.size() == 1 ? "" : "s"),
                      std::move(text)});
  }
}

/// What a call leaves behind.
void addSlot(std::vector<NamedValue> &values, const MemoryInput &memory,
             const CallSlot &slot, const Byte &byte) {
  constexpr unsigned optionalPosition = 1U << 31;
  const std::string call =
      slot.position < optionalPosition
          ? fmt::format("call {}", slot.position + 1)
          : fmt::format("unseen call {}", slot.position - optionalPosition + 1);
  const unsigned number =
      slot.block & ~unsigned(CallSlot::byArgument | CallSlot::local);
  const std::string block = (slot.block & CallSlot::byArgument) != 0
                                ? fmt::format("argument {}", number + 1)
                            : (slot.block & CallSlot::local) != 0
                                ? fmt::format("escaped local {}", number)
                                : nameOfBlock(memory.memory, number - 1);
  const std::string where = fmt::format("{} + {}", block, slot.offset);
  switch (slot.kind) {
  case CallSlot::Kind::byte:
    values.push_back({where, call, format(memory.memory, byte)});
    return;
  case CallSlot::Kind::kept:
    if (byte.bits != 0)
      values.push_back({where, call, "as it was"});
    return;
  case CallSlot::Kind::freed:
    if (byte.bits != 0)
      values.push_back({block, call, "freed"});
    return;
  case CallSlot::Kind::touch:
    values.push_back({block, call,
                      byte.bits == 0   ? "not touched"
                      : byte.bits == 1 ? "read other than by arguments"
                                       : "written other than by arguments"});
    return;
  }
}

std::vector<NamedValue> valuesOf(const Program &program, const Run &run,
                                 std::size_t finalState) {
  const std::vector<ValueSet> &registers = run.registers(finalState);
  std::vector<NamedValue> values;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const corpus::Type type = program.instructions[i].type;
    if (type.isVoid())
      continue;
    const std::string name = corpus::resultName(i);
    if (!registers[i].empty())
      values.push_back(
          {name, toString(type),
           formatValue(registers[i], type, run.memory(finalState))});
  }
  addMemory(values, run.memory(finalState), false);
  return values;
}

/// One way for a run to go: along `path`; then, unless that ended in
/// `pathOutcome`, always the first transition.
struct Walk {
  std::string outcome;
  std::size_t finalState = Run::start;
};

Walk walk(const Program &program, const Run &run,
          const std::vector<std::size_t> &path, std::string_view pathOutcome) {
  Walk result;
  const auto say = [&](const std::string &text) {
    result.outcome += (result.outcome.empty() ? "" : ", ") + text;
  };
  std::set<std::size_t> seen;
  std::size_t step = 1;
  while (true) {
    const bool onPath = step < path.size();
    if (!onPath && !path.empty() && !pathOutcome.empty()) {
      // The path ends in a final state, or where an outcome without one arose.
      if (pathOutcome != "returns")
        say(std::string(pathOutcome));
      return result;
    }
    const auto transitions = run.transitions(result.finalState);
    if (!onPath && !seen.insert(result.finalState).second) {
      say("loops forever");
      return result;
    }
    auto next = transitions.begin();
    if (onPath)
      while (next != transitions.end() && next->to != path[step])
        ++next;
    if (next == transitions.end())
      next = transitions.begin();
    if (transitions.empty())
      return result;
    ++step;
    if (next->kind == Transition::Kind::call)
      say(describeCall(next->call));
    if (next->kind == Transition::Kind::returns)
      say(describeReturn(program, next->returned, run.memory(next->to)));
    const bool isUb = next->kind == Transition::Kind::ub && !onPath;
    if (isUb)
      say("UB");
    result.finalState = next->to;
    if (next->kind == Transition::Kind::returns || isUb)
      return result;
  }
}

class Reference {
public:
  Reference(const Program &source, const Program &target,
            const Semantics &semantics)
      : source_(source), target_(target), semantics_(semantics) {}

  /// What keeps the runs from being enumerated, or nothing.
  std::optional<std::string> findCallResults();
  Verdict check(bool wantWitness, std::uint64_t stepLimit, FullBytes fullBytes,
                const InputsLeft &inputsLeft);
  std::optional<Verdict> trySamples(bool wantWitness, std::uint64_t stepLimit);
  Verdict checkMemory(bool wantWitness, std::uint64_t stepLimit,
                      FullBytes fullBytes);
  std::optional<Kind> kindOf(const Input &input, Budget &budget,
                             const MemoryInput *memory = nullptr);
  Witness witness(const Input &input, Budget &budget,
                  const MemoryInput *memory = nullptr);

private:
  void addInputNames(Witness &witness, const Input &input,
                     const MemoryInput *memory) const;

  const Program &source_;
  const Program &target_;
  const Semantics &semantics_;
  std::vector<CallResultSlot> slots_;
  bool complete_ = true;
  bool isOpen_ = false; ///< only what is wrong counts
};

std::optional<std::string> Reference::findCallResults() {
  std::size_t calls = 0;
  std::map<std::string, corpus::Type> results;
  bool inCycle = false;
  for (const Program *program : {&source_, &target_}) {
    std::size_t callsHere = 0;
    for (std::size_t block = 0; block < program->blocks.size(); ++block)
      for (std::size_t i = program->blocks[block].begin;
           i < program->blocks[block].end; ++i) {
        const Instruction &instruction = program->instructions[i];
        if (!isTraced(*program, instruction))
          continue;
        ++callsHere;
        inCycle = inCycle || corpus::Graph(*program).isInCycle(block);
        if (!instruction.type.isVoid())
          results.emplace(program->callees[instruction.callee].name,
                          instruction.type);
      }
    calls = std::max(calls, callsHere);
  }
  if (results.empty())
    return std::nullopt;
  if (inCycle)
    return fmt::format("a call in a loop, where the result of @{} matters",
                       results.begin()->first);
  for (unsigned position = 0; position < calls; ++position)
    for (const auto &[callee, type] : results)
      slots_.push_back({position, callee, type});
  return std::nullopt;
}

std::optional<Kind> Reference::kindOf(const Input &input, Budget &budget,
                                      const MemoryInput *memory) {
  const Run target(target_, semantics_, input, slots_, budget, memory,
                   Run::Side::target);
  const Run source(source_, semantics_, input, slots_, budget, memory,
                   Run::Side::source);
  complete_ = complete_ && source.complete() && target.complete();
  if (!complete_)
    return std::nullopt;
  Comparison comparison(source, target);
  const std::optional<Kind> kind = comparison.worst();
  complete_ = comparison.complete();
  isOpen_ = isOpen_ || comparison.isOpen();
  return kind;
}

void Reference::addInputNames(Witness &witness, const Input &input,
                              const MemoryInput *memory) const {
  const auto &parameters = source_.signature.parameters;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool isArgument = i < parameters.size();
    const CallResultSlot *slot =
        isArgument ? nullptr : &slots_[i - parameters.size()];
    const corpus::Type type = isArgument ? parameters[i].type : slot->type;
    witness.inputs.push_back(
        {isArgument
             ? corpus::argumentName(i)
             : fmt::format("@{} as call {}", slot->callee, slot->position + 1),
         toString(type),
         memory == nullptr ? format(input[i], type)
                           : formatValue(input[i], type, memory->memory)});
  }
  if (memory == nullptr)
    return;
  addMemory(witness.inputs, memory->memory, true);
  for (const auto &[slot, byte] : *memory->slots)
    addSlot(witness.inputs, *memory, slot, byte);
}

Witness Reference::witness(const Input &input, Budget &budget,
                           const MemoryInput *memory) {
  const Run source(source_, semantics_, input, slots_, budget, memory,
                   Run::Side::source);
  const Run target(target_, semantics_, input, slots_, budget, memory,
                   Run::Side::target);
  Comparison comparison(source, target);
  comparison.worst();
  const Walk targetWalk =
      walk(target_, target, comparison.path(), comparison.outcome());
  const Walk sourceWalk = walk(source_, source, {}, {});
  Witness witness;
  addInputNames(witness, input, memory);
  witness.sourceValues = valuesOf(source_, source, sourceWalk.finalState);
  witness.targetValues = valuesOf(target_, target, targetWalk.finalState);
  witness.sourceOutcome = sourceWalk.outcome;
  witness.targetOutcome = targetWalk.outcome;
  return witness;
}

/// All scenarios, and of each all inputs that matter.
Verdict Reference::checkMemory(bool wantWitness, std::uint64_t stepLimit,
                               FullBytes fullBytes) {
  Verdict verdict;
  verdict.engine = "reference";
  const auto undecided = [&](std::string reason) {
    verdict.word = VerdictWord::undecided;
    verdict.reason = std::move(reason);
    return verdict;
  };
  if (semantics_.undef == UndefRule::perUse &&
      semantics_.inputs > Inputs::poison) {
    verdict.word = VerdictWord::unsupported;
    verdict.reason = "undef inputs beside memory";
    return verdict;
  }
  constexpr std::size_t mostScenarios = 20'000;
  const auto windows = windowsOf(source_, target_);
  if (!windows)
    return undecided(windows.error().message);
  auto scenarios = scenariosOf(*windows, source_.signature, semantics_,
                               fullBytes, mostScenarios);
  if (!scenarios)
    return undecided(scenarios.error().message);

  Budget budget{stepLimit};
  std::optional<InputVector> smallest;
  const auto perRun = static_cast<double>(source_.instructions.size() +
                                          target_.instructions.size());
  for (Scenario &scenario : *scenarios) {
    for (const CallResultSlot &slot : slots_)
      scenario.results.push_back({slot.callee, slot.type});
    std::vector<CallSlot> missing;
    // What calls leave behind comes to light by running.
    do {
      scenario.slots.insert(scenario.slots.end(), missing.begin(),
                            missing.end());
      missing.clear();
      complete_ = true;
      const InputPlan plan(source_, target_, semantics_, scenario, fullBytes);
      if (plan.count() * perRun > static_cast<double>(budget.steps))
        return undecided(fmt::format(
            "{:.0f} contents of memory and arguments are too many to try one "
            "by one; narrow the integers",
            plan.count()));
      plan.forEach([&](const InputVector &vector) {
        const MemoryInput memory{vector.memory, &*windows, &vector.slots,
                                 &missing};
        const auto kind = kindOf(vector.arguments, budget, &memory);
        if (missing.empty() && kind && (!smallest || *kind < verdict.kind)) {
          verdict.kind = *kind;
          smallest = vector;
        }
        return missing.empty() && complete_ &&
               !(smallest && verdict.kind == Kind::moreUb);
      });
      std::sort(missing.begin(), missing.end());
      missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    } while (!missing.empty());
    if (!complete_)
      return undecided("too many states, or sets of values too large, to try "
                       "one by one; narrow the integers");
    if (smallest && verdict.kind == Kind::moreUb)
      break;
  }
  if (!smallest && isOpen_)
    return undecided("a call sees other memory than the source's, of which "
                     "nothing may show");
  if (!smallest)
    return verdict;
  verdict.word = VerdictWord::wrong;
  if (wantWitness) {
    Budget unlimited{stepLimit};
    std::vector<CallSlot> missing;
    const MemoryInput memory{smallest->memory, &*windows, &smallest->slots,
                             &missing};
    verdict.witness = witness(smallest->arguments, unlimited, &memory);
  }
  return verdict;
}

Verdict Reference::check(bool wantWitness, std::uint64_t stepLimit,
                         FullBytes fullBytes, const InputsLeft &inputsLeft) {
  Verdict verdict;
  verdict.engine = "reference";
  const auto give = [&](VerdictWord word, std::string reason) {
    verdict.word = word;
    verdict.reason = std::move(reason);
    return verdict;
  };
  for (const Program *program : {&source_, &target_})
    if (auto lack = lackOfReference(*program))
      return give(VerdictWord::unsupported, std::move(*lack));
  if (auto lack = findCallResults())
    return give(VerdictWord::unsupported, std::move(*lack));
  if (touchesMemory(source_) || touchesMemory(target_))
    return checkMemory(wantWitness, stepLimit, fullBytes);

  std::map<std::uint32_t, std::vector<InputChoice>> lists;
  std::vector<const std::vector<InputChoice> *> choices;
  double inputCount = 1;
  const auto addInput = [&](corpus::Type type) -> std::optional<Verdict> {
    auto found = lists.find(type.id());
    if (found == lists.end()) {
      // No list of more than can be tried.
      auto list = inputChoices(type, semantics_,
                               std::min(maximumInputChoices, stepLimit));
      if (!list)
        return give(semantics_.inputs != Inputs::anySet
                        ? VerdictWord::undecided
                        : VerdictWord::unsupported,
                    list.error().message);
      found = lists.emplace(type.id(), std::move(*list)).first;
    }
    choices.push_back(&found->second);
    inputCount *= static_cast<double>(found->second.size());
    return std::nullopt;
  };
  for (const corpus::Parameter &parameter : source_.signature.parameters)
    if (auto problem = addInput(parameter.type))
      return *problem;
  for (const CallResultSlot &slot : slots_)
    if (auto problem = addInput(slot.type))
      return *problem;

  const auto left = inputsLeft ? inputsLeft(choices, slots_) : std::nullopt;
  if (left)
    inputCount = static_cast<double>(left->size());
  const double work =
      inputCount * static_cast<double>(source_.instructions.size() +
                                       target_.instructions.size());
  if (work > static_cast<double>(stepLimit))
    return give(VerdictWord::undecided,
                fmt::format("{:.0f} inputs are too many to try one by one; "
                            "narrow the integers",
                            inputCount));

  Budget budget{stepLimit};
  std::optional<Input> smallest;
  const auto visit = [&](const Input &input) {
    const auto kind = kindOf(input, budget);
    if (kind && (!smallest || *kind < verdict.kind)) {
      verdict.kind = *kind;
      smallest = input;
    }
    return complete_ && !(smallest && verdict.kind == Kind::moreUb);
  };
  if (left)
    static_cast<void>(std::all_of(left->begin(), left->end(), visit));
  else
    forEachInput(choices, visit);
  if (!complete_)
    return give(VerdictWord::undecided,
                "too many states, or sets of values too large, to try one by "
                "one; narrow the integers");
  if (!smallest)
    return verdict;
  verdict.word = VerdictWord::wrong;
  if (wantWitness) {
    Budget unlimited{stepLimit};
    verdict.witness = witness(*smallest, unlimited);
  }
  return verdict;
}

std::optional<Verdict> Reference::trySamples(bool wantWitness,
                                             std::uint64_t stepLimit) {
  constexpr std::uint64_t samples = 96;
  constexpr unsigned maximumRounds = 20;
  for (const Program *program : {&source_, &target_})
    if (lackOfReference(*program))
      return std::nullopt;
  if (findCallResults())
    return std::nullopt;
  std::vector<corpus::Type> types;
  for (const corpus::Parameter &parameter : source_.signature.parameters)
    types.push_back(parameter.type);
  for (const CallResultSlot &slot : slots_)
    types.push_back(slot.type);
  if (!std::all_of(types.begin(), types.end(),
                   [](corpus::Type type) { return type.isInteger(); }))
    return std::nullopt;

  const auto inputOf = [](std::span<const Element> elements) {
    Input input;
    for (const Element &element : elements)
      input.push_back({element});
    return input;
  };
  std::uint64_t steps = stepLimit;
  const auto kindOfSample = [&](std::span<const Element> sample) {
    Budget budget{std::min(steps, stepLimit / 16)};
    const std::uint64_t before = budget.steps;
    complete_ = true;
    const auto kind = kindOf(inputOf(sample), budget);
    steps -= before - budget.steps;
    return kind;
  };
  std::optional<Kind> worst;
  std::vector<Element> best;
  const Samples values(source_, target_, semantics_.inputs != Inputs::defined);
  for (std::uint64_t number = 0; number < samples && steps != 0; ++number) {
    // Of several arguments not only the first corners.
    const std::vector<Element> sample =
        values.input(types, types.size() < 2 ? number : number * 19);
    const auto kind = kindOfSample(sample);
    if (!kind || (worst && (*worst < *kind ||
                            (*worst == *kind && !isSmaller(sample, best)))))
      continue;
    worst = kind;
    best = sample;
  }
  if (!worst)
    return std::nullopt;
  bool isSmallest = !wantWitness;
  for (unsigned round = 0; round < maximumRounds && !isSmallest; ++round) {
    isSmallest = true;
    for (const std::vector<Element> &smaller : smallerInputs(types, best))
      if (steps != 0 && isSmaller(smaller, best) &&
          kindOfSample(smaller) == worst) {
        best = smaller;
        isSmallest = false;
      }
  }
  Verdict verdict;
  verdict.word = VerdictWord::wrong;
  verdict.kind = *worst;
  verdict.engine = "reference";
  if (wantWitness) {
    Budget budget{stepLimit};
    verdict.witness = witness(inputOf(best), budget);
  }
  return verdict;
}

} // namespace

std::optional<Verdict> trySamplesByReference(const Program &source,
                                             const Program &target,
                                             const Semantics &semantics,
                                             bool wantWitness,
                                             std::uint64_t stepLimit) {
  return Reference(source, target, semantics)
      .trySamples(wantWitness, stepLimit);
}

namespace {

std::optional<std::string> lackOfMemory(const Program &program) {
  constexpr std::uint64_t largestLocal = 4096;
  if (program.signature.function.has(corpus::attribute::nullPointerIsValid))
    return "null_pointer_is_valid";
  for (const Operand &operand : program.operands)
    if (operand.type.isPointer() && operand.is(Operand::Kind::undef))
      return "a pointer that is undef";
  for (const Instruction &instruction : program.instructions) {
    const auto operands = program.operandsOf(instruction);
    corpus::Type accessed = corpus::Type::integer(8);
    if (instruction.opcode == Opcode::load)
      accessed = instruction.type;
    if (instruction.opcode == Opcode::store)
      accessed = operands[0].type;
    if (!accessed.isInteger())
      return fmt::format("a value of type {} in memory", toString(accessed));
    if (instruction.opcode == Opcode::call && !instruction.type.isVoid() &&
        !instruction.type.isInteger())
      return fmt::format("a call that returns {} beside memory",
                         toString(instruction.type));
    if (instruction.opcode == Opcode::alloca_ &&
        operands[0].payload * corpus::allocationSize(instruction.accessedType) >
            largestLocal)
      return fmt::format("a local of more than {} bytes", largestLocal);

    if (instruction.opcode == Opcode::load &&
        instruction.attributes != Instruction::noAttributes &&
        program.callAttributes[instruction.attributes].result.has(
            corpus::attribute::invariantLoad))
      return "!invariant.load";
  }
  const corpus::Graph graph(program);
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (std::size_t i = program.blocks[b].begin;
         i < program.blocks[b].end && graph.isInCycle(b); ++i)
      if (program.instructions[i].opcode == Opcode::call)
        return fmt::format(
            "a call in a loop beside memory, of @{}",
            program.callees[program.instructions[i].callee].name);
  constexpr std::size_t mostParameters = 16;
  if (program.signature.parameters.size() > mostParameters)
    return "more than 16 parameters beside memory";
  return std::nullopt;
}

} // namespace

std::optional<std::string> lackOfReference(const Program &program) {
  for (const corpus::Parameter &parameter : program.signature.parameters)
    if (!isTaken(parameter.type))
      return fmt::format("a value of type {}", toString(parameter.type));
  for (const Operand &operand : program.operands)
    if (!isTaken(operand.type))
      return fmt::format("a value of type {}", toString(operand.type));
  static const core::OpcodeSet numbers = opcodesOfNumbers();
  if (touchesMemory(program))
    if (auto lack = lackOfMemory(program))
      return lack;
  bool isSeen = false; ///< a call, in memory that we may not access
  for (const Instruction &instruction : program.instructions) {
    if (!isTaken(instruction.type))
      return fmt::format("a value of type {}", toString(instruction.type));
    if (!numbers.has(instruction.opcode) && !isStructure(instruction.opcode) &&
        !isMoveOfLanes(instruction.opcode))
      return std::string(corpus::info(instruction.opcode).spelling);
    if (instruction.opcode != Opcode::call)
      continue;
    if (corpus::libraryFunctionOf(program, instruction) != nullptr)
      return fmt::format("call of @{}, a library function",
                         program.callees[instruction.callee].name);
    isSeen = isSeen || (functionAttributeBits(program, instruction) &
                        memoryAttributes) == 0;
  }
  if (isSeen && program.signature.function.has(memoryAttributes))
    return "a function that is memory(none) or memory(read) and calls";
  return std::nullopt;
}

Verdict checkByReference(const Program &source, const Program &target,
                         const Semantics &semantics, bool wantWitness,
                         std::uint64_t stepLimit, FullBytes fullBytes,
                         const InputsLeft &inputsLeft) {
  return Reference(source, target, semantics)
      .check(wantWitness, stepLimit, fullBytes, inputsLeft);
}

std::optional<Kind> kindOfInput(const Program &source, const Program &target,
                                const Semantics &semantics,
                                const Input &input) {
  Budget budget{defaultReferenceSteps};
  return Reference(source, target, semantics).kindOf(input, budget);
}

Witness witnessOfInput(const Program &source, const Program &target,
                       const Semantics &semantics, const Input &input) {
  Budget budget{defaultReferenceSteps};
  return Reference(source, target, semantics).witness(input, budget);
}

} // namespace checker
