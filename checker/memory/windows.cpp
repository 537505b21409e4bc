// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/windows.h"

#include "corpus/program/graph.h"

#include <algorithm>
#include <map>
#include <optional>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace {

/// Farther than any window that we enumerate.
constexpr std::int64_t farAway = 1 << 12;

using Interval = OffsetRange;

Interval hull(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval clamped(double low, double high) {
  const auto limit = static_cast<double>(farAway + 1);
  return {static_cast<std::int64_t>(std::max(low, -limit)),
          static_cast<std::int64_t>(std::min(high, limit))};
}

/// What the operand may be as a signed number.
Interval rangeAt(const Program &program, const Operand &operand,
                 unsigned depth) {
  const unsigned width = operand.type.width();
  const double half = static_cast<double>(std::uint64_t(1) << (width - 1));
  const Interval whole = clamped(-half, half - 1);
  if (operand.is(Operand::Kind::constant)) {
    const auto value =
        static_cast<double>(corpus::signExtend(operand.payload, width));
    return clamped(value, value);
  }
  if (!operand.is(Operand::Kind::instruction) || depth > 4)
    return whole;
  const Instruction &instruction = program.instructions[operand.payload];
  const auto operands = program.operandsOf(instruction);
  const auto inner = [&](std::size_t i) {
    return rangeAt(program, operands[i], depth + 1);
  };
  switch (instruction.opcode) {
  case Opcode::zext: {
    const Interval from = inner(0);
    const double size = static_cast<double>(operands[0].type.mask());
    return from.low >= 0 ? from : clamped(0, size);
  }
  case Opcode::sext:
    return inner(0);
  case Opcode::select:
    return hull(inner(1), inner(2));
  case Opcode::and_:
    for (std::size_t i = 0; i < 2; ++i)
      if (const Interval mask = rangeAt(program, operands[i], depth + 1);
          operands[i].is(Operand::Kind::constant) && mask.low >= 0)
        return {0, mask.high};
    return whole;
  default:
    return whole;
  }
}

/// Offsets of a pointer from each root that it may be based on.
using Places = std::map<std::size_t, Interval>;

class Walk {
public:
  Walk(const Program &program, Windows &windows,
       std::map<std::size_t, std::set<std::int64_t>> &starts)
      : program_(program), windows_(windows), starts_(starts),
        places_(program.instructions.size()) {}

  std::optional<std::string> run();

private:
  static constexpr std::size_t maximumRounds = 12;

  std::size_t rootOfGlobal(std::uint64_t index) const;
  /// All locals, which have no window.
  std::size_t rootOfLocals() const {
    return windows_.parameters.size() + windows_.globals.size();
  }
  Window &window(std::size_t root) {
    const std::size_t parameters = windows_.parameters.size();
    return root < parameters ? windows_.parameters[root]
                             : windows_.ofGlobals[root - parameters];
  }
  std::string nameOf(std::size_t root) const;
  Places placesOf(const Operand &operand) const;
  Places placesInWindows(const Operand &operand) const;
  bool grow(std::size_t instruction, const Places &places);
  bool flow(std::size_t index);
  Interval stepOf(const Instruction &gep, std::size_t index) const;
  void note(std::size_t index);
  void access(const Operand &pointer, std::uint64_t size,
              std::uint32_t alignment, bool isWrite);
  void copy(const Operand &pointer, const Operand &length, bool isWrite);
  void compare(const Instruction &instruction);
  void noteCompared(std::size_t root, const Interval &interval);
  bool seesNumbers(const Instruction &instruction) const;
  void pass(const Instruction &call);
  void attributes(const corpus::Attributes &attributes, const Places &places);

  const Program &program_;
  Windows &windows_;
  /// By root: where steps that must be in bounds come from, which must be too.
  std::map<std::size_t, std::set<std::int64_t>> &starts_;
  std::vector<Places> places_;
  std::optional<std::string> lack_;
};

std::size_t Walk::rootOfGlobal(std::uint64_t index) const {
  const auto found =
      std::find_if(windows_.globals.begin(), windows_.globals.end(),
                   [&](const corpus::Global &global) {
                     return global.name == program_.globals[index].name;
                   });
  return windows_.parameters.size() +
         static_cast<std::size_t>(found - windows_.globals.begin());
}

std::string Walk::nameOf(std::size_t root) const {
  const std::size_t parameters = windows_.parameters.size();
  return root < parameters ? "argument " + std::to_string(root + 1)
         : root == rootOfLocals()
             ? "a local"
             : "@" + windows_.globals[root - parameters].name;
}

Places Walk::placesOf(const Operand &operand) const {
  switch (operand.kind) {
  case Operand::Kind::argument:
    return {{operand.payload, {}}};
  case Operand::Kind::global:
    return {{rootOfGlobal(operand.payload), {}}};
  case Operand::Kind::instruction:
    return places_[operand.payload];
  default:
    return {};
  }
}

Places Walk::placesInWindows(const Operand &operand) const {
  Places places = placesOf(operand);
  places.erase(rootOfLocals());
  return places;
}

bool Walk::grow(std::size_t instruction, const Places &places) {
  bool changed = false;
  for (const auto &[root, interval] : places) {
    const auto [found, isNew] =
        places_[instruction].try_emplace(root, interval);
    const Interval wider = hull(found->second, interval);
    changed = changed || isNew || wider != found->second;
    found->second = wider;
  }
  return changed;
}

Interval Walk::stepOf(const Instruction &gep, std::size_t index) const {
  const auto operands = program_.operandsOf(gep);
  const Interval range = rangeOf(program_, operands[index]);
  const auto scale = static_cast<double>(
      static_cast<std::int64_t>(operands[index + 1].payload));
  const double a = static_cast<double>(range.low) * scale;
  const double b = static_cast<double>(range.high) * scale;
  return clamped(std::min(a, b), std::max(a, b));
}

bool Walk::flow(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  if (!instruction.type.isPointer())
    return false;
  const auto operands = program_.operandsOf(instruction);
  switch (instruction.opcode) {
  case Opcode::alloca_:
    return grow(index, {{rootOfLocals(), {}}});
  case Opcode::getelementptr: {
    Places places = placesOf(operands[0]);
    for (auto &[root, interval] : places)
      for (std::size_t i = 1; i < operands.size(); i += 2) {
        const Interval step = stepOf(instruction, i);
        interval = clamped(static_cast<double>(interval.low + step.low),
                           static_cast<double>(interval.high + step.high));
      }
    return grow(index, places);
  }
  case Opcode::select: {
    const bool first = grow(index, placesOf(operands[1]));
    return grow(index, placesOf(operands[2])) || first;
  }
  case Opcode::freeze:
    return grow(index, placesOf(operands[0]));
  case Opcode::phi: {
    bool changed = false;
    for (std::size_t i = 0; i < operands.size(); i += 2)
      changed = grow(index, placesOf(operands[i])) || changed;
    return changed;
  }
  default:
    return false;
  }
}

void Walk::access(const Operand &pointer, std::uint64_t size,
                  std::uint32_t alignment, bool isWrite) {
  for (const auto &[root, interval] : placesInWindows(pointer)) {
    Window &at = window(root);
    at.isWritten = at.isWritten || isWrite;
    if (interval.isFar() || size > static_cast<std::uint64_t>(farAway)) {
      lack_ = "accesses far from " + nameOf(root);
      continue;
    }
    const auto end = static_cast<std::int64_t>(size);
    for (std::int64_t offset = interval.low; offset <= interval.high;
         ++offset) {
      at.cuts.insert(offset);
      at.cuts.insert(offset + end);
      if (alignment > 1)
        at.alignments.insert({offset, alignment});
    }
  }
}

void Walk::copy(const Operand &pointer, const Operand &length, bool isWrite) {
  const Interval range = rangeOf(program_, length);
  const bool isUnsigned = range.low >= 0;
  if (!isUnsigned || range.isFar()) {
    if (!placesInWindows(pointer).empty())
      lack_ = "a copy of unbounded length";
    return;
  }
  for (std::int64_t size = range.low; size <= range.high; ++size)
    access(pointer, static_cast<std::uint64_t>(size), 1, isWrite);
}

void Walk::noteCompared(std::size_t root, const Interval &interval) {
  constexpr std::int64_t mostCompared = 16;
  // Where locals and variables lie is not found by what arguments compare to.
  if (root >= windows_.parameters.size() ||
      interval.high - interval.low >= mostCompared) {
    windows_.observesNumbers = true;
    return;
  }
  for (std::int64_t offset = interval.low; offset <= interval.high; ++offset)
    window(root).compared.insert(offset);
}

/// Pointers come from elsewhere than arguments and null, or go where more than
/// comparisons sees them.
bool Walk::seesNumbers(const Instruction &instruction) const {
  const auto operands = program_.operandsOf(instruction);
  switch (instruction.opcode) {
  case Opcode::ptrtoint:
  case Opcode::ptrtoaddr:
  case Opcode::inttoptr:
    return true;
  case Opcode::load:
    return instruction.type.isPointer();
  case Opcode::store:
    return operands[0].type.isPointer();
  case Opcode::call:
    return instruction.type.isPointer() ||
           std::any_of(operands.begin(), operands.end(),
                       [](const Operand &o) { return o.type.isPointer(); });
  case Opcode::freeze:
    return instruction.type.isPointer();
  case Opcode::getelementptr:
    return instruction.flags.has(corpus::flag::nusw) ||
           instruction.flags.has(corpus::flag::nuw) ||
           placesOf(operands[0]).empty();
  case Opcode::icmp:
    return std::any_of(operands.begin(), operands.end(), [](const Operand &o) {
      return o.is(Operand::Kind::constant) && o.payload != 0;
    });
  default:
    return false;
  }
}

void Walk::compare(const Instruction &instruction) {
  const auto operands = program_.operandsOf(instruction);
  if (!operands[0].type.isPointer())
    return;
  const bool isEquality = instruction.predicate == corpus::Predicate::eq ||
                          instruction.predicate == corpus::Predicate::ne;
  for (std::size_t i = 0; i < 2; ++i)
    if (isEquality && operands[i].is(Operand::Kind::constant) &&
        operands[1 - i].is(Operand::Kind::argument)) {
      window(operands[1 - i].payload).nullTests.insert(0);
      return;
    }
  windows_.observesAddresses = true;
  const bool isSameSign = instruction.flags.has(corpus::flag::samesign);
  const bool isSigned = instruction.predicate >= corpus::Predicate::sgt;
  windows_.ordersSigned |= isSameSign || (!isEquality && isSigned);
  windows_.ordersUnsigned |= isSameSign || (!isEquality && !isSigned);
  std::int64_t reach = 0;
  for (const Operand &operand : operands) {
    std::int64_t largest = 0;
    for (const auto &[root, interval] : placesOf(operand)) {
      if (interval.isFar()) {
        lack_ = "compares addresses far from " + nameOf(root);
        continue;
      }
      noteCompared(root, interval);
      largest = std::max({largest, interval.high, -interval.low});
    }
    reach += largest;
  }
  windows_.reach = std::max(windows_.reach, reach);
}

void Walk::attributes(const corpus::Attributes &attributes,
                      const Places &places) {
  namespace attribute = corpus::attribute;
  for (const auto &[root, interval] : places) {
    Window &at = window(root);
    if (interval.isFar()) {
      lack_ = "attributes far from " + nameOf(root);
      continue;
    }
    for (std::int64_t offset = interval.low; offset <= interval.high;
         ++offset) {
      if (attributes.has(attribute::align))
        at.alignments.insert(
            {offset, static_cast<std::uint32_t>(std::min<std::uint64_t>(
                         attributes.valueOf(attribute::align).low, 1 << 30))});
      if (attributes.has(attribute::nonnull | attribute::dereferenceableOrNull))
        at.nullTests.insert(offset);
      for (const std::uint32_t bit :
           {attribute::dereferenceable, attribute::dereferenceableOrNull}) {
        if (!attributes.has(bit))
          continue;
        const std::uint64_t size = attributes.valueOf(bit).low;
        if (size > static_cast<std::uint64_t>(farAway)) {
          lack_ = "dereferenceable bytes far from " + nameOf(root);
          continue;
        }
        at.cuts.insert(offset);
        at.cuts.insert(offset + static_cast<std::int64_t>(size));
        at.isWritten = at.isWritten || attributes.has(attribute::writable);
      }
      if (attributes.has(attribute::initializes)) {
        const auto &value = attributes.valueOf(attribute::initializes);
        const auto low = static_cast<std::int64_t>(value.low);
        const auto high = static_cast<std::int64_t>(value.high);
        if (low < -farAway || high > farAway) {
          lack_ = "initializes bytes far from " + nameOf(root);
          continue;
        }
        at.cuts.insert(offset + low);
        at.cuts.insert(offset + high);
        at.isWritten = true;
      }
    }
  }
}

void Walk::pass(const Instruction &call) {
  const auto operands = program_.operandsOf(call);
  const std::uint32_t bits = corpus::functionAttributeBits(program_, call);
  windows_.hasCalls =
      windows_.hasCalls || (bits & corpus::attribute::memoryNone) == 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Places places = placesInWindows(operands[i]);
    for (const auto &[root, interval] : places) {
      Window &at = window(root);
      at.isPassed = true;
      at.isWritten = true;
      if (interval.isFar())
        lack_ = "passes a pointer far from " + nameOf(root);
      else
        for (std::int64_t o = interval.low; o <= interval.high; ++o) {
          at.cuts.insert(o);
          at.cuts.insert(o + 1);
        }
    }
    attributes(program_.callees[call.callee].signature.parameters[i].attributes,
               places);
    if (call.attributes != Instruction::noAttributes &&
        !program_.callAttributes[call.attributes].parameters.empty())
      attributes(program_.callAttributes[call.attributes].parameters[i],
                 places);
  }
}

void Walk::note(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const auto sizeOf = [](Type type) { return corpus::storeSize(type); };
  windows_.observesNumbers =
      windows_.observesNumbers || seesNumbers(instruction);
  switch (instruction.opcode) {
  case Opcode::load:
    return access(operands[0], sizeOf(instruction.type), instruction.alignment,
                  false);
  case Opcode::store:
    return access(operands[1], sizeOf(operands[0].type), instruction.alignment,
                  true);
  case Opcode::memcpy_:
  case Opcode::memmove_:
    copy(operands[0], operands[2], true);
    copy(operands[1], operands[2], false);
    break;
  case Opcode::memset_:
    copy(operands[0], operands[2], true);
    break;
  case Opcode::icmp:
    return compare(instruction);
  case Opcode::call:
    return pass(instruction);
  case Opcode::ret:
    for (const Operand &operand : operands)
      for (const auto &[root, interval] : placesOf(operand))
        noteCompared(root, interval);
    break;
  case Opcode::ptrtoint:
  case Opcode::ptrtoaddr:
    windows_.observesAddresses = true;
    break;
  case Opcode::getelementptr: {
    if (instruction.flags.has(corpus::flag::nusw) ||
        instruction.flags.has(corpus::flag::nuw))
      windows_.observesAddresses = true;
    if (!instruction.flags.has(corpus::flag::inbounds))
      break;
    Places places = placesInWindows(operands[0]);
    for (auto &[root, interval] : places)
      for (std::size_t i = 1; i < operands.size(); i += 2) {
        const Interval step = stepOf(instruction, i);
        if (!interval.isFar())
          for (std::int64_t o = interval.low; o <= interval.high; ++o)
            starts_[root].insert(o);
        interval = clamped(static_cast<double>(interval.low + step.low),
                           static_cast<double>(interval.high + step.high));
        if (interval.isFar()) {
          lack_ = "steps far from " + nameOf(root);
          break;
        }
        for (std::int64_t o = interval.low; o <= interval.high; ++o)
          window(root).steps.insert(o);
      }
    break;
  }
  default:
    break;
  }
  // memcpy and the like may have alignments.
  if (corpus::info(instruction.opcode).isIntrinsic() &&
      instruction.attributes != Instruction::noAttributes) {
    const auto &parameters =
        program_.callAttributes[instruction.attributes].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (operands[i].type.isPointer())
        attributes(parameters[i], placesInWindows(operands[i]));
  }
}

std::optional<std::string> Walk::run() {
  bool changed = true;
  for (std::size_t round = 0; changed; ++round) {
    changed = false;
    for (std::size_t i = 0; i < program_.instructions.size(); ++i)
      changed = flow(i) || changed;
    if (round > maximumRounds)
      for (Places &places : places_)
        for (auto &[root, interval] : places)
          if (interval.low != interval.high)
            interval = {-farAway - 1, farAway + 1};
    if (round > 2 * maximumRounds)
      break;
  }
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].type.isPointer())
      attributes(parameters[i].attributes, {{i, {}}});
  for (std::size_t i = 0; i < program_.instructions.size(); ++i)
    note(i);
  return lack_;
}

bool freezesPointer(const Program &program) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const Instruction &instruction) {
                       return instruction.opcode == Opcode::freeze &&
                              instruction.type.isPointer();
                     });
}

constexpr std::size_t mostShifts = 64;

/// What the steps of all getelementptr may add up to, each taken once or not;
/// nothing where that is not a few numbers.
std::optional<std::set<std::uint64_t>> sumsOfSteps(const Program &program) {
  if (corpus::Graph(program).hasCycle())
    return std::nullopt;
  std::set<std::uint64_t> sums = {0};
  for (const Instruction &instruction : program.instructions) {
    if (instruction.opcode != Opcode::getelementptr)
      continue;
    const auto operands = program.operandsOf(instruction);
    std::uint64_t step = 0;
    for (std::size_t i = 1; i < operands.size(); i += 2) {
      if (!operands[i].is(Operand::Kind::constant))
        return std::nullopt;
      step += static_cast<std::uint64_t>(corpus::signExtend(
                  operands[i].payload, operands[i].type.width())) *
              operands[i + 1].payload;
    }
    std::set<std::uint64_t> more;
    for (const std::uint64_t sum : sums)
      more.insert(sum + step);
    sums.merge(more);
    if (sums.size() > mostShifts)
      return std::nullopt;
  }
  return sums;
}

std::optional<std::set<std::uint64_t>> shiftsOf(const Program &source,
                                                const Program &target) {
  const auto a = sumsOfSteps(source);
  const auto b = sumsOfSteps(target);
  if (!a || !b || a->size() * b->size() > mostShifts)
    return std::nullopt;
  std::set<std::uint64_t> shifts;
  for (const std::uint64_t x : *a)
    for (const std::uint64_t y : *b)
      shifts.merge(std::set<std::uint64_t>{x - y, y - x});
  return shifts;
}

} // namespace

bool OffsetRange::isFar() const { return low < -farAway || high > farAway; }

OffsetRange rangeOf(const Program &program, const Operand &operand) {
  return rangeAt(program, operand, 0);
}

bool touchesMemory(const Program &program) {
  const auto isPointer = [](const Operand &operand) {
    return operand.type.isPointer();
  };
  return std::any_of(program.signature.parameters.begin(),
                     program.signature.parameters.end(),
                     [](const corpus::Parameter &parameter) {
                       return parameter.type.isPointer();
                     }) ||
         std::any_of(program.operands.begin(), program.operands.end(),
                     isPointer) ||
         std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const Instruction &instruction) {
                       return instruction.opcode == Opcode::alloca_ ||
                              instruction.type.isPointer();
                     });
}

corpus::Result<Windows> windowsOf(const Program &source,
                                  const Program &target) {
  Windows windows;
  windows.parameters.resize(source.signature.parameters.size());
  for (const Program *program : {&source, &target})
    for (const corpus::Global &global : program->globals) {
      const bool isNew = std::none_of(
          windows.globals.begin(), windows.globals.end(),
          [&](const corpus::Global &g) { return g.name == global.name; });
      if (isNew)
        windows.globals.push_back(global);
    }
  windows.ofGlobals.resize(windows.globals.size());
  if (freezesPointer(source) || freezesPointer(target))
    windows.shifts = shiftsOf(source, target);
  std::map<std::size_t, std::set<std::int64_t>> starts;
  for (const Program *program : {&source, &target})
    if (auto lack = Walk(*program, windows, starts).run())
      return corpus::Error{std::move(*lack)};
  // What is accessed is in an object that begins no later than where steps
  // come from and go to.
  for (std::size_t i = 0; i < windows.parameters.size(); ++i) {
    Window &window = windows.parameters[i];
    window.steps.insert(starts[i].begin(), starts[i].end());
    if (!window.cuts.empty())
      window.cuts.insert(window.steps.begin(), window.steps.end());
    // A block behind null, or one that ends in front of it.
    for (const std::int64_t offset : window.nullTests)
      for (const std::int64_t cut : {offset - 1, offset + 1})
        if (!window.cuts.empty() && window.begin() < cut && cut < window.end())
          window.cuts.insert(cut);
  }
  for (Window &window : windows.parameters)
    if (window.cuts.size() < 2)
      window.cuts.insert({0, 1});
  for (std::size_t i = 0; i < windows.globals.size(); ++i) {
    const corpus::Global &global = windows.globals[i];
    const std::uint64_t size =
        global.count * corpus::allocationSize(global.type);
    if (size > static_cast<std::uint64_t>(farAway))
      return corpus::Error{"a variable of many bytes, @" + global.name};
    windows.ofGlobals[i].cuts.insert(0);
    windows.ofGlobals[i].cuts.insert(static_cast<std::int64_t>(size));
  }
  return windows;
}

} // namespace checker
