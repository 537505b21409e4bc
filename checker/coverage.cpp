// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/coverage.h"

#include "checker/check.h"
#include "checker/memory/windows.h"
#include "checker/semantics/relevance.h"
#include "checker/sliced/bitsliced.h"
#include "checker/sliced/set_sliced.h"
#include "checker/symbolic/memory_smt.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace checker {
namespace {

using corpus::Flags;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Shape;
using corpus::Type;

const Type i1 = Type::integer(1);
const Type i2 = Type::integer(2);
const Type v2 = Type::vector(2, i2);

Program returning(Program program, const Operand &value) {
  program.signature.returnType = value.type;
  program.append(Opcode::ret, Type(), {value});
  return program;
}

/// One instruction on arguments of those types, returned.
Program probe(const CoverageRow &row, std::initializer_list<Type> operands,
              Type result,
              corpus::Predicate predicate = corpus::Predicate::eq) {
  Program program;
  std::vector<Operand> arguments;
  for (const Type type : operands)
    arguments.push_back(program.addParameter(type));
  const Operand value =
      program.append(row.opcode, result, arguments, row.flags, predicate);
  return returning(std::move(program), value);
}

/// Halves of the pair that a with.overflow intrinsic returns.
std::vector<Program> pairProbes(Opcode opcode) {
  std::vector<Program> probes;
  for (const std::uint64_t half : {0, 1}) {
    Program program;
    const Operand a = program.addParameter(i2);
    const Operand b = program.addParameter(i2);
    const Operand pair = program.append(opcode, Type::overflowPair(2), {a, b});
    const Operand value =
        program.append(Opcode::extractvalue, half == 0 ? i2 : i1,
                       {pair, Operand::constant(Type::integer(32), half)});
    probes.push_back(returning(std::move(program), value));
  }
  return probes;
}

/// Goes to one of two blocks, the first of which `then` fills and ends.
template <typename Then>
Program branching(Opcode terminator, Type condition, Then then) {
  Program program;
  const Operand c = program.addParameter(condition);
  const Operand a = program.addParameter(i2);
  program.signature.returnType = i2;
  if (terminator == Opcode::br)
    program.append(Opcode::br, Type(),
                   {c, Operand::block(1), Operand::block(2)});
  else
    program.append(Opcode::switch_, Type(),
                   {c, Operand::block(2), Operand::constant(condition, 1),
                    Operand::block(1)});
  program.beginBlock();
  then(program, a);
  program.beginBlock();
  return program;
}

Program twoReturns(Opcode terminator, Type condition) {
  Program program =
      branching(terminator, condition, [](Program &p, const Operand &a) {
        p.append(Opcode::ret, Type(), {a});
      });
  program.append(Opcode::ret, Type(), {Operand::constant(i2, 1)});
  return program;
}

Program withUnreachable() {
  Program program = branching(Opcode::br, i1, [](Program &p, const Operand &a) {
    p.append(Opcode::ret, Type(), {a});
  });
  program.append(Opcode::unreachable, Type(), {});
  return program;
}

Program withPhi() {
  Program program = branching(Opcode::br, i1, [](Program &p, const Operand &) {
    p.append(Opcode::br, Type(), {Operand::block(2)});
  });
  const Operand value =
      program.append(Opcode::phi, i2,
                     {Operand::argument(i2, 1), Operand::block(0),
                      Operand::constant(i2, 1), Operand::block(1)});
  program.append(Opcode::ret, Type(), {value});
  return program;
}

Program withCall() {
  Program program;
  const Operand a = program.addParameter(i2);
  corpus::Callee use{"use_i2", {}};
  use.signature.parameters.push_back({i2, {}});
  program.callees.push_back(use);
  program.append(Opcode::call, Type(), {a});
  return returning(std::move(program), a);
}

Program withAssumption() {
  Program program;
  const Operand c = program.addParameter(i1);
  const Operand a = program.addParameter(i2);
  program.append(Opcode::assume, Type(), {c});
  return returning(std::move(program), a);
}

/// Few inputs, although bswap takes 16 bits at least.
Program withSwap() {
  const Type i16 = Type::integer(16);
  Program program;
  const Operand a = program.addParameter(i2);
  const Operand wide = program.append(Opcode::zext, i16, {a});
  const Operand swapped = program.append(Opcode::bswap, i16, {wide});
  return returning(std::move(program), swapped);
}

/// A byte of its own, written and read again, with the opcode in between.
Program withMemory(Opcode opcode, corpus::Flags flags) {
  const Type i8 = Type::integer(8);
  const Type i64 = Type::integer(64);
  const Type ptr = Type::pointer();
  Program program;
  const Operand a = program.addParameter(i8);
  Instruction alloca;
  alloca.opcode = Opcode::alloca_;
  alloca.type = ptr;
  alloca.accessedType = i8;
  alloca.alignment = 1;
  const Operand one = Operand::constant(i64, 1);
  const Operand p = program.append(alloca, std::vector{one});
  Instruction access;
  access.opcode = Opcode::store;
  access.alignment = 1;
  program.append(access, std::vector{a, p});
  const Operand no = Operand::constant(i1, 0);
  switch (corpus::info(opcode).shape) {
  case Shape::address:
    program.append(opcode, ptr, {p, one, one}, flags);
    break;
  case Shape::toInteger:
    program.append(opcode, i64, {p});
    break;
  case Shape::toPointer:
    program.append(opcode, ptr, {one});
    break;
  case Shape::intrinsicCopy:
    program.append(opcode, Type(), {p, p, one, no});
    break;
  case Shape::intrinsicFill:
    program.append(opcode, Type(), {p, a, one, no});
    break;
  case Shape::intrinsicLifetime:
    program.append(opcode, Type(), {p});
    break;
  default:
    break;
  }
  access.opcode = Opcode::load;
  access.type = i8;
  const Operand value = program.append(access, std::vector{p});
  return returning(std::move(program), value);
}

Program identity() {
  Program program;
  const Operand a = program.addParameter(i2);
  return returning(std::move(program), a);
}

/// The second operand is a constant i1.
std::vector<Program> probesWithFlag(Opcode opcode) {
  std::vector<Program> probes;
  for (const std::uint64_t flag : {0, 1}) {
    Program program;
    const Operand a = program.addParameter(i2);
    const Operand value =
        program.append(opcode, i2, {a, Operand::constant(i1, flag)});
    probes.push_back(returning(std::move(program), value));
  }
  return probes;
}

/// On a vector whose lanes are arguments.
Program withVector(Opcode opcode) {
  const Type i32 = Type::integer(32);
  const Operand first = Operand::constant(i32, 0);
  const Operand second = Operand::constant(i32, 1);
  const Operand secondLane = Operand::constant(Type::integer(64), 1);
  const Type one = Type::vector(1, i2);
  const Type three = Type::vector(3, i2);
  const Type pair = Type::structure(v2, i2);
  Program program;
  const Operand a = program.addParameter(i2);
  const Operand b = program.addParameter(i2);
  const Operand half = program.append(Opcode::insertelement, v2,
                                      {Operand::poison(v2), a, first});
  const Operand v =
      program.append(Opcode::insertelement, v2, {half, b, second});
  Operand value;
  switch (opcode) {
  case Opcode::bitcast:
    value = program.append(opcode, Type::vector(4, i1), {v});
    value = program.append(opcode, Type::integer(4), {value});
    break;
  case Opcode::extractelement:
    value = program.append(opcode, i2, {v, a});
    break;
  case Opcode::insertelement:
    value = program.append(opcode, v2, {v, a, b});
    break;
  case Opcode::vectorExtract:
    value = program.append(opcode, one, {v, secondLane});
    break;
  case Opcode::vectorInsert:
    value = program.append(opcode, v2, {v, Operand::poison(one), secondLane});
    break;
  case Opcode::insertvalue:
    value = program.append(opcode, pair, {Operand::poison(pair), v, first});
    value = program.append(opcode, pair, {value, a, second});
    break;
  case Opcode::shufflevector: {
    const Operand mask = program.literal(
        Type::vector(3, i32), {second, Operand::poison(i32), second});
    value = program.append(opcode, three, {v, v, mask});
    break;
  }
  default:
    value = program.append(opcode, i2, {v});
  }
  return returning(std::move(program), value);
}

Operand zeroOf(Program &program, Type type) {
  if (type.isScalar())
    return Operand::constant(type, 0);
  std::vector<Operand> lanes;
  for (unsigned i = 0; i < type.lanes(); ++i)
    lanes.push_back(Operand::constant(type.lane(i), 0));
  return program.literal(type, std::move(lanes));
}

/// The same parameters, and a constant instead of the value.
Program constantLike(const Program &program) {
  Program constant;
  constant.signature = program.signature;
  const Operand zero = zeroOf(constant, program.signature.returnType);
  return returning(std::move(constant), zero);
}

using Word = std::optional<std::string>; ///< nothing: it does not decide

Word wordOf(const Verdict &verdict) {
  switch (verdict.word) {
  case VerdictWord::refines:
    return verdict.reason.empty() ? Word("refines") : std::nullopt;
  case VerdictWord::wrong:
    return std::string(toString(verdict.kind));
  default:
    return std::nullopt;
  }
}

Word wordOf(bool isDecided, bool isRefined, Kind kind) {
  if (!isDecided)
    return std::nullopt;
  return isRefined ? "refines" : std::string(toString(kind));
}

/// One answer of each of coverageEngines.
std::array<Word, coverageEngines.size()>
ask(const Program &source, const Program &target, const Semantics &semantics) {
  std::array<Word, coverageEngines.size()> words;
  const Limits limits;
  // Its arguments are never sets; the door prunes undef before it asks it.
  if (semantics.inputs <= Inputs::poison) {
    BitSliced planes(bitsliced::kernels().back());
    using Said = BitSliced::Result::Word;
    const auto result =
        planes.check(source, target, semantics, false, limits.bitSlicedWork);
    words[0] =
        wordOf(result.word == Said::refines || result.word == Said::wrong,
               result.word == Said::refines, result.kind);
  }
  SetSliced sets;
  using Said = SetSliced::Result::Word;
  const auto result =
      sets.check(source, target, semantics, 0, false, limits.setSlicedTerms);
  words[1] = wordOf(result.word != Said::cannot, result.word == Said::refines,
                    result.kind);
  words[2] = wordOf(checkByReference(source, target, semantics, false));
  words[3] =
      wordOf(touchesMemory(source)
                 ? checkMemorySymbolically(source, target, semantics, false)
                 : checkSymbolic(source, target, semantics, false));
  return words;
}

constexpr std::string_view sets = "registers hold sets, the engine s has them";
constexpr std::string_view forks = "a run that forks, r and z have them";
constexpr std::string_view lines = "straight lines only, p has branches";
constexpr std::string_view lanes = "vectors and aggregates, p has them";
constexpr CoverageLack lacks[] = {
    {'p', "", "inputs=poison+undef", sets},
    {'p', "", "inputs=any-set", sets},
    {'p', "", "overflow=undef", sets},
    {'p', "", "shift_amount=undef", sets},
    {'p', "", "poison_unit=bit", "poison is one plane of a value"},
    {'p', "", "branch_on_poison=nondeterministic", forks},
    {'p', "call", "", "calls, r has them"},
    {'s', "insertvalue", "", lanes},
    {'s', "bitcast", "", lanes},
    {'s', "extractelement", "", lanes},
    {'s', "insertelement", "", lanes},
    {'s', "shufflevector", "", lanes},
    {'s', "llvm.vector.extract", "", lanes},
    {'s', "llvm.vector.insert", "", lanes},
    {'s', "llvm.vector.reduce.add", "", lanes},
    {'s', "llvm.vector.reduce.mul", "", lanes},
    {'s', "llvm.vector.reduce.and", "", lanes},
    {'s', "llvm.vector.reduce.or", "", lanes},
    {'s', "llvm.vector.reduce.xor", "", lanes},
    {'s', "llvm.vector.reduce.smin", "", lanes},
    {'s', "llvm.vector.reduce.smax", "", lanes},
    {'s', "llvm.vector.reduce.umin", "", lanes},
    {'s', "llvm.vector.reduce.umax", "", lanes},
    {'s', "llvm.bswap", "", "integers of 16 bits are too wide for a table"},
    {'s', "phi", "", lines},
    {'s', "br", "", lines},
    {'s', "switch", "", lines},
    {'s', "unreachable", "", lines},
    {'s', "call", "", lines},
    {'z', "", "poison_unit=bit", "a term of a value has one poison"},
};

constexpr Opcode memoryOpcodes[] = {
    Opcode::alloca_,       Opcode::load,          Opcode::store,
    Opcode::getelementptr, Opcode::memcpy_,       Opcode::memmove_,
    Opcode::memset_,       Opcode::lifetimeStart, Opcode::lifetimeEnd,
};
constexpr Opcode conversions[] = {Opcode::ptrtoint, Opcode::inttoptr,
                                  Opcode::ptrtoaddr};

} // namespace

bool CoverageCell::isDecidedTwice() const {
  std::set<LaneTable> tables;
  for (std::size_t i = 0; i < decides.size(); ++i)
    if (decides[i])
      tables.insert(coverageEngines[i].table);
  return tables.size() > 1;
}

Semantics CoverageColumn::semantics() const {
  Semantics semantics;
  if (knob != nullptr)
    knob->set(semantics, choice);
  return semantics;
}

std::string CoverageColumn::name() const {
  return knob == nullptr
             ? "llvm"
             : fmt::format("{}={}", knob->name, knob->choices[choice].name);
}

std::string CoverageRow::name() const {
  std::string text(corpus::info(opcode).spelling);
  for (const corpus::FlagInfo &info : corpus::flagTable)
    if (flags.has(info.flag))
      text += fmt::format(" {}", info.spelling);
  return text;
}

std::vector<Program> CoverageRow::probes() const {
  const Type i3 = Type::integer(3);
  switch (opcode) {
  case Opcode::bswap:
    return {withSwap()};
  case Opcode::ret:
    return {identity()};
  case Opcode::br:
    return {twoReturns(Opcode::br, i1)};
  case Opcode::switch_:
    return {twoReturns(Opcode::switch_, i2)};
  case Opcode::unreachable:
    return {withUnreachable()};
  default:
    break;
  }
  switch (corpus::info(opcode).shape) {
  case Shape::binary:
  case Shape::intrinsicBinary:
    return {probe(*this, {i2, i2}, i2), probe(*this, {i1, i1}, i1)};
  case Shape::compare: {
    std::vector<Program> probes;
    probes.reserve(std::size(corpus::predicateTable));
    for (const corpus::PredicateInfo &each : corpus::predicateTable)
      probes.push_back(probe(*this, {i2, i2}, i1, each.predicate));
    return probes;
  }
  case Shape::select:
    return {probe(*this, {i1, i2, i2}, i2)};
  case Shape::unary:
  case Shape::intrinsicUnary:
    return {probe(*this, {i2}, i2)};
  case Shape::widen:
    return {probe(*this, {i2}, i3)};
  case Shape::narrow:
    return {probe(*this, {i2}, i1)};
  case Shape::intrinsicUnaryWithFlag:
    return probesWithFlag(opcode);
  case Shape::intrinsicTernary:
    return {probe(*this, {i2, i2, i2}, i2)};
  case Shape::intrinsicOverflow:
    return pairProbes(opcode);
  case Shape::extract:
    return pairProbes(Opcode::uaddOverflow);
  case Shape::intrinsicThreeWay:
    return {probe(*this, {i2, i2}, i3)};
  case Shape::intrinsicReduce:
  case Shape::reinterpret:
  case Shape::extractElement:
  case Shape::insertElement:
  case Shape::intrinsicExtract:
  case Shape::intrinsicInsert:
  case Shape::insert:
  case Shape::shuffle:
    return {withVector(opcode)};
  case Shape::intrinsicAssume:
    return {withAssumption()};
  case Shape::allocation:
  case Shape::load:
  case Shape::store:
  case Shape::address:
  case Shape::toInteger:
  case Shape::toPointer:
  case Shape::intrinsicCopy:
  case Shape::intrinsicFill:
  case Shape::intrinsicLifetime:
    return {withMemory(opcode, flags)};
  case Shape::phi:
    return {withPhi()};
  case Shape::call:
    return {withCall()};
  case Shape::terminator:
    return {};
  }
  return {};
}

namespace {

std::vector<CoverageRow> allRows() {
  std::vector<CoverageRow> rows;
  for (const corpus::OpcodeInfo &info : corpus::opcodeTable())
    for (unsigned bits = 0; bits <= info.allowedFlags.bits(); ++bits) {
      const Flags flags(static_cast<std::uint8_t>(bits));
      if (info.allowedFlags.has(flags))
        rows.push_back({info.opcode, flags});
    }
  return rows;
}

std::vector<CoverageColumn> allColumns() {
  std::vector<CoverageColumn> columns(1);
  for (const Knob &knob : knobTable())
    for (std::size_t choice = 0; choice < knob.choices.size(); ++choice)
      if (choice != knob.get({}))
        columns.push_back({&knob, choice});
  return columns;
}

CoverageCell cellOf(std::span<const Program> probes,
                    const Semantics &semantics) {
  CoverageCell cell;
  cell.decides.fill(!probes.empty());
  for (const Program &source : probes)
    for (const Program &target : {source, constantLike(source)}) {
      const auto words = ask(source, target, semantics);
      std::set<std::string> said;
      for (std::size_t i = 0; i < words.size(); ++i) {
        cell.decides[i] = cell.decides[i] && words[i];
        if (words[i])
          said.insert(*words[i]);
      }
      cell.agree = cell.agree && said.size() <= 1;
    }
  return cell;
}

} // namespace

Coverage measureCoverage() {
  Coverage coverage{allRows(), allColumns(), {}};
  for (const CoverageRow &row : coverage.rows) {
    const std::vector<Program> probes = row.probes();
    // Without a shift, what an over-wide one gives needs no asking again.
    std::map<std::string, CoverageCell> known;
    std::vector<CoverageCell> &cells = coverage.cells.emplace_back();
    for (const CoverageColumn &column : coverage.columns) {
      std::string parts;
      for (const Program &probe : probes)
        parts +=
            toString(Relevance(probe, probe).relevantPart(column.semantics())) +
            " ";
      const auto [entry, isNew] = known.try_emplace(parts);
      if (isNew)
        entry->second = cellOf(probes, column.semantics());
      cells.push_back(entry->second);
    }
  }
  return coverage;
}

std::string toText(const Coverage &coverage) {
  std::string text = "Who decides what:\n";
  for (const CoverageEngine &engine : coverageEngines)
    text += fmt::format("  {}  {}\n", engine.letter, engine.name);
  text += "s and r share one table of what an opcode makes of numbers; a cell "
          "that no two\ntables decide has a *, one where engines disagree "
          "a !.\n\nThe preset llvm with one knob turned:\n";
  for (std::size_t i = 0; i < coverage.columns.size(); ++i)
    text += fmt::format("  {:>2}  {}\n", i, coverage.columns[i].name());
  text += fmt::format("\n{:<24}", "");
  for (std::size_t i = 0; i < coverage.columns.size(); ++i)
    text += fmt::format(" {:<5}", i);
  while (text.back() == ' ')
    text.pop_back();
  text += '\n';
  for (std::size_t i = 0; i < coverage.rows.size(); ++i) {
    text += fmt::format("{:<24}", coverage.rows[i].name());
    for (const CoverageCell &cell : coverage.cells[i]) {
      std::string letters;
      for (std::size_t engine = 0; engine < cell.decides.size(); ++engine)
        if (cell.decides[engine])
          letters += coverageEngines[engine].letter;
      letters += cell.isDecidedTwice() ? "" : "*";
      letters += cell.agree ? "" : "!";
      text += fmt::format(" {:<5}", letters);
    }
    while (text.back() == ' ')
      text.pop_back();
    text += '\n';
  }
  text += "\nWhat they lack:\n";
  for (const CoverageLack &lack : lackTable())
    text += fmt::format("  {}  {}{}{}: {}\n", lack.engine, lack.opcode,
                        lack.opcode.empty() || lack.choice.empty() ? "" : ", ",
                        lack.choice, lack.reason);
  return text;
}

bool CoverageLack::covers(char letter, const CoverageRow &row,
                          const CoverageColumn &column) const {
  return letter == engine &&
         (opcode.empty() || opcode == corpus::info(row.opcode).spelling) &&
         (choice.empty() || choice == column.name());
}

std::span<const CoverageLack> lackTable() {
  static const std::vector<CoverageLack> all = [] {
    std::vector<CoverageLack> table(std::begin(lacks), std::end(lacks));
    for (const CoverageEngine &engine : coverageEngines)
      for (const Opcode opcode : conversions)
        table.push_back({engine.letter, corpus::info(opcode).spelling, "",
                         "pointers are not integers yet"});
    for (const Opcode opcode : memoryOpcodes) {
      const std::string_view spelling = corpus::info(opcode).spelling;
      for (const char letter : {'p', 's'})
        table.push_back({letter, spelling, "", "memory, r and z have it"});
      for (const char letter : {'r', 'z'})
        for (const char *choice : {"inputs=poison+undef", "inputs=any-set"})
          table.push_back(
              {letter, spelling, choice, "undef that comes with memory"});
      table.push_back({'z', spelling, "poison_unit=bit",
                       "poison of a value is one term beside memory"});
    }
    table.push_back({'z', "llvm.lifetime.end", "dead_load=undef",
                     "a load of what is dead is poison or UB"});
    return table;
  }();
  return all;
}

} // namespace checker
