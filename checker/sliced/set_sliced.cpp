// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/set_sliced.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using setsliced::Plane;
using setsliced::Step;
using setsliced::Term;

namespace {

constexpr std::size_t maximumElements = 512;
constexpr std::size_t maximumTerms = 1 << 20;
constexpr std::size_t maximumInputPlanes = 1 << 17;
constexpr std::size_t maximumWorlds = 64;
constexpr unsigned maximumPickBits = 24;
constexpr std::size_t maximumLayouts = 256;
/// Together; some hundred megabytes.
constexpr std::size_t maximumTableTerms = std::size_t(1) << 25;

struct OwnedTable {
  std::vector<Term> terms;
  std::vector<std::uint32_t> ends;
  std::uint8_t arity = 0;

  setsliced::Table view() const {
    return {terms.data(), ends.data(), static_cast<std::uint32_t>(ends.size()),
            arity};
  }
};

/// Elements of a type, those without poison first.
struct Elements {
  std::vector<Element> list;
  std::uint32_t poisonFrom = 0; ///< elements from here on have poison
  std::uint32_t numbers = 0;    ///< undef is the elements below

  std::uint16_t size() const { return static_cast<std::uint16_t>(list.size()); }
  std::uint16_t indexOf(const Element &element) const {
    return static_cast<std::uint16_t>(
        std::find(list.begin(), list.end(), element) - list.begin());
  }
};

/// What a table depends on.
struct TableKey {
  enum class Purpose : std::uint64_t {
    compute,
    pick,
    arm0,
    arm1,
    range,
    covers
  };
  static constexpr std::uint64_t notLiteral = 0;
  std::array<std::uint64_t, 4> words{};
  std::array<std::uint64_t, 3> literals{};

  friend bool operator==(const TableKey &, const TableKey &) = default;
};

struct TableKeyHash {
  std::size_t operator()(const TableKey &key) const {
    std::uint64_t hash = 0;
    const auto add = [&](std::uint64_t word) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    };
    for (std::uint64_t word : key.words)
      add(word);
    for (std::uint64_t word : key.literals)
      add(word);
    return hash;
  }
};

struct Layout {
  std::vector<Plane> planes;
  std::vector<Plane> valid;
  std::uint32_t planesPerBlock = 0;
  bool tooLarge = false;
  std::vector<std::vector<InputChoice>> choices; ///< by argument
};

void setLane(Plane &plane, unsigned lane) {
  plane.words[lane / 64] |= std::uint64_t(1) << lane % 64;
}

} // namespace

struct SetSliced::World {
  World(const Semantics &s, std::uint64_t limit)
      : semantics(s), termLimit(limit) {}

  struct Side {
    std::vector<Step> steps;
    std::vector<std::uint32_t> results;   ///< first plane, by instruction
    std::vector<std::uint32_t> arguments; ///< first plane
    std::uint32_t returned = 0;
    unsigned pickBits = 0;

    setsliced::Code code() const {
      setsliced::Code result{steps.data(), steps.size(), returned, pickBits, 1};
      for (const Step &step : steps)
        if (step.tables[0].outputs != 0)
          result.cost += step.tables[0].ends[step.tables[0].outputs - 1];
      return result;
    }
  };

  const Elements *elementsOf(Type type);
  std::vector<std::uint16_t> literalElements(const Operand &operand);
  const OwnedTable *tableOf(TableKey::Purpose purpose,
                            const Operation &operation,
                            std::span<const Operand> operands);
  const OwnedTable *rangeTable(const corpus::Attributes &attributes, Type type);
  const OwnedTable *coversTable(Type type);
  OwnedTable buildTable(TableKey::Purpose purpose, const Operation &operation,
                        std::span<const Operand> operands);
  bool addOutputs(TableKey::Purpose purpose, const Operation &operation,
                  std::span<const Element> pick,
                  std::vector<std::uint32_t> &outputs);
  const Layout &layoutOf(const Program &program, std::uint32_t neverUndef);
  void buildLayout(const Program &program, std::uint32_t neverUndef,
                   Layout &layout);
  std::uint32_t allocate(std::size_t planes);
  std::uint32_t literalPlanes(const Operand &operand);
  bool restrict(const corpus::Attributes &attributes, Type type, Side &side,
                std::uint32_t &planes);
  bool compile(const Program &program, Side &side);
  bool compile(const Program &program, const Instruction &instruction,
               std::size_t index, Side &side);
  Result check(const Program &source, const Program &target,
               std::uint32_t neverUndef, bool wantSmallest);

  Semantics semantics;
  std::uint64_t termLimit;
  setsliced::Kernel kernel = setsliced::kernels().back();
  std::array<std::unique_ptr<Elements>, 2 * Type::maximumWidth + 1> elements;
  std::unordered_map<TableKey, OwnedTable, TableKeyHash> tables;
  std::size_t tableTerms = 0;
  std::unordered_map<std::string, Layout> layouts;
  std::vector<Plane> file;
  std::uint32_t filePlanes = 0;
  Side source;
  Side target;
  std::string key;
};

const Elements *SetSliced::World::elementsOf(Type type) {
  auto &slot = elements[type.id()];
  if (slot)
    return slot->list.empty() ? nullptr : slot.get();
  slot = std::make_unique<Elements>();
  const bool isBitwise = semantics.poisonUnit == PoisonUnit::bit;
  const bool isPair = type.isOverflowPair();
  const double count =
      std::pow(isBitwise ? 3 : 2, type.width() + (isPair ? 1 : 0));
  if (count + 1 > maximumElements)
    return nullptr;
  std::vector<Element> &list = slot->list;
  for (std::uint64_t bits = 0; bits <= type.mask(); ++bits)
    list.push_back(Element::number(bits));
  if (isPair)
    for (std::uint64_t bits = 0; bits <= type.mask(); ++bits)
      list.push_back({bits, 0, true, false});
  slot->numbers = slot->poisonFrom = static_cast<std::uint32_t>(list.size());
  if (!isBitwise) {
    list.push_back(Element::poisonOf(type));
    return slot.get();
  }
  for (std::uint64_t poison = 0; poison <= type.mask(); ++poison)
    for (std::uint64_t bits = 0; bits <= type.mask(); ++bits) {
      if ((bits & poison) != 0)
        continue;
      if (!isPair) {
        if (poison != 0)
          list.push_back({bits, poison, false, false});
        continue;
      }
      if (poison != 0) {
        list.push_back({bits, poison, false, false});
        list.push_back({bits, poison, true, false});
      }
      list.push_back({bits, poison, false, true});
    }
  return slot.get();
}

std::vector<std::uint16_t>
SetSliced::World::literalElements(const Operand &operand) {
  // The index of an extractvalue has a type too wide to list.
  const Elements *all = elementsOf(operand.type);
  assert(all != nullptr && "checked by the caller");
  const bool isUndef =
      operand.is(Operand::Kind::undef) && semantics.undef == UndefRule::perUse;
  std::vector<std::uint16_t> list;
  if (isUndef)
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(all->numbers); ++i)
      list.push_back(i);
  else if (operand.is(Operand::Kind::constant))
    list.push_back(all->indexOf(Element::number(operand.payload)));
  else
    list.push_back(all->indexOf(Element::poisonOf(operand.type)));
  return list;
}

/// The outputs of a table that one choice of elements contributes to. False
/// when that cannot be told.
bool SetSliced::World::addOutputs(TableKey::Purpose purpose,
                                  const Operation &operation,
                                  std::span<const Element> pick,
                                  std::vector<std::uint32_t> &outputs) {
  outputs.clear();
  if (purpose == TableKey::Purpose::pick) {
    const Elements &all = *elementsOf(operation.operandType);
    for (std::uint32_t i = 0; i < all.numbers; ++i)
      if (((all.list[i].bits ^ pick[0].bits) & ~pick[0].poison) == 0)
        outputs.push_back(i);
    return true;
  }
  const bool hasResult = !operation.type.isVoid();
  const Elements *results = hasResult ? elementsOf(operation.type) : nullptr;
  const auto last =
      static_cast<std::uint32_t>(hasResult ? results->list.size() : 0);
  const ElementResult result = evaluate(operation, semantics, pick);
  switch (result.kind) {
  case ElementResult::Kind::element:
    if (hasResult)
      outputs.push_back(results->indexOf(result.element));
    return true;
  case ElementResult::Kind::undef:
    if (semantics.undef == UndefRule::asPoison)
      outputs.push_back(results->indexOf(Element::poisonOf(operation.type)));
    else
      for (std::uint32_t i = 0; i < results->numbers; ++i)
        outputs.push_back(i);
    return true;
  case ElementResult::Kind::ub:
    outputs.push_back(last);
    return true;
  case ElementResult::Kind::eitherArm: {
    const std::size_t arm = purpose == TableKey::Purpose::arm1 ? 2 : 1;
    outputs.push_back(results->indexOf(pick[arm]));
    if (semantics.selectArms == SelectArms::either &&
        (pick[1].hasPoison() || pick[2].hasPoison()))
      outputs.push_back(results->indexOf(Element::poisonOf(operation.type)));
    outputs.push_back(last);
    return true;
  }
  case ElementResult::Kind::tooMany:
    return false;
  }
  return false;
}

OwnedTable SetSliced::World::buildTable(TableKey::Purpose purpose,
                                        const Operation &operation,
                                        std::span<const Operand> operands) {
  struct Choice {
    const Elements *elements;
    std::vector<std::uint16_t> indices;
    bool isLiteral;
  };
  std::vector<Choice> choices;
  std::size_t combinations = 1;
  OwnedTable table;
  for (const Operand &operand : operands) {
    const Elements *all = elementsOf(operand.type);
    if (all == nullptr)
      return {};
    Choice choice{all, {}, operand.isLiteral()};
    if (choice.isLiteral)
      choice.indices = literalElements(operand);
    else
      for (std::uint16_t i = 0; i < all->size(); ++i)
        choice.indices.push_back(i);
    combinations *= choice.indices.size();
    if (combinations > maximumTerms)
      return {};
    table.arity += choice.isLiteral ? 0 : 1;
    choices.push_back(std::move(choice));
  }
  const bool isPick = purpose == TableKey::Purpose::pick;
  if (!isPick && !operation.type.isVoid() &&
      elementsOf(operation.type) == nullptr)
    return {};
  const std::size_t outputCount =
      isPick                    ? elementsOf(operation.operandType)->numbers
      : operation.type.isVoid() ? 1
                                : elementsOf(operation.type)->list.size() + 1;
  std::vector<std::vector<Term>> terms(outputCount);

  std::vector<std::size_t> at(choices.size(), 0);
  std::vector<Element> pick(choices.size());
  std::vector<std::uint32_t> outputs;
  std::size_t termCount = 0;
  while (true) {
    Term term{{0, 0, 0}};
    unsigned place = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const std::uint16_t index = choices[i].indices[at[i]];
      pick[i] = choices[i].elements->list[index];
      if (!choices[i].isLiteral)
        term.element[place++] = index;
    }
    if (!addOutputs(purpose, operation, pick, outputs))
      return {};
    for (std::uint32_t output : outputs)
      terms[output].push_back(term);
    termCount += outputs.size();
    if (termCount > maximumTerms)
      return {};
    std::size_t i = 0;
    while (i < choices.size() && ++at[i] == choices[i].indices.size())
      at[i++] = 0;
    if (i == choices.size())
      break;
  }
  const auto same = [](const Term &a, const Term &b) {
    return std::equal(a.element, a.element + 3, b.element);
  };
  for (std::vector<Term> &list : terms) {
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
    table.terms.insert(table.terms.end(), list.begin(), list.end());
    table.ends.push_back(static_cast<std::uint32_t>(table.terms.size()));
  }
  return table;
}

const OwnedTable *SetSliced::World::tableOf(TableKey::Purpose purpose,
                                            const Operation &operation,
                                            std::span<const Operand> operands) {
  TableKey tableKey;
  tableKey.words[0] = static_cast<std::uint64_t>(purpose) |
                      static_cast<std::uint64_t>(operation.opcode) << 8 |
                      std::uint64_t(operation.flags.bits()) << 16 |
                      static_cast<std::uint64_t>(operation.predicate) << 24 |
                      std::uint64_t(operation.operandType.id()) << 32 |
                      std::uint64_t(operation.type.id()) << 48;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    tableKey.words[1] |= (operands[i].isLiteral()
                              ? 1 + static_cast<std::uint64_t>(operands[i].kind)
                              : TableKey::notLiteral)
                         << 8 * i;
    tableKey.words[2] |= std::uint64_t(operands[i].type.id()) << 16 * i;
    tableKey.literals[i] = operands[i].isLiteral() ? operands[i].payload : 0;
  }
  const auto [found, isNew] = tables.try_emplace(tableKey);
  if (isNew)
    found->second = buildTable(purpose, operation, operands);
  tableTerms += isNew ? found->second.terms.size() : 0;
  return found->second.ends.empty() ? nullptr : &found->second;
}

const OwnedTable *
SetSliced::World::rangeTable(const corpus::Attributes &attributes, Type type) {
  TableKey tableKey;
  tableKey.words[0] = static_cast<std::uint64_t>(TableKey::Purpose::range) |
                      std::uint64_t(type.id()) << 32;
  tableKey.literals = {attributes.rangeLow, attributes.rangeHigh, 0};
  const auto [found, isNew] = tables.try_emplace(tableKey);
  OwnedTable &table = found->second;
  const Elements *all = elementsOf(type);
  if (isNew && all != nullptr) {
    corpus::Attributes onlyRange = attributes;
    onlyRange.bits = corpus::attribute::range;
    std::vector<std::vector<Term>> terms(all->list.size() + 1);
    for (std::uint16_t i = 0; i < all->size(); ++i) {
      const auto to = applyAttributes(onlyRange, type, {all->list[i]});
      terms[all->indexOf(to->front())].push_back({{i, 0, 0}});
    }
    for (const auto &list : terms) {
      table.terms.insert(table.terms.end(), list.begin(), list.end());
      table.ends.push_back(static_cast<std::uint32_t>(table.terms.size()));
    }
    table.arity = 1;
  }
  return table.ends.empty() ? nullptr : &table;
}

const OwnedTable *SetSliced::World::coversTable(Type type) {
  TableKey tableKey;
  tableKey.words[0] = static_cast<std::uint64_t>(TableKey::Purpose::covers) |
                      std::uint64_t(type.id()) << 32;
  const auto [found, isNew] = tables.try_emplace(tableKey);
  OwnedTable &table = found->second;
  const Elements *all = elementsOf(type);
  if (isNew && all != nullptr) {
    for (const Element &t : all->list) {
      for (std::uint16_t s = 0; s < all->size(); ++s)
        if (refines(t, all->list[s]))
          table.terms.push_back({{s, 0, 0}});
      table.ends.push_back(static_cast<std::uint32_t>(table.terms.size()));
    }
    table.arity = 1;
  }
  return table.ends.empty() ? nullptr : &table;
}

void SetSliced::World::buildLayout(const Program &program,
                                   std::uint32_t neverUndef, Layout &layout) {
  double count = 1;
  const auto &parameters = program.signature.parameters;
  Semantics withoutSets = semantics;
  if (withoutSets.inputs != Inputs::defined)
    withoutSets.inputs = Inputs::poison;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Elements *all = elementsOf(parameters[i].type);
    auto list =
        inputChoices(parameters[i].type,
                     (neverUndef >> i & 1) != 0 ? withoutSets : semantics);
    if (all == nullptr || !list) {
      layout.tooLarge = true;
      return;
    }
    count *= static_cast<double>(list->size());
    layout.planesPerBlock += static_cast<std::uint32_t>(all->list.size());
    layout.choices.push_back(std::move(*list));
  }
  const double blocks = count / setsliced::lanes + 1;
  if (blocks * (layout.planesPerBlock + 1) > maximumInputPlanes) {
    layout.tooLarge = true;
    return;
  }
  std::vector<const std::vector<InputChoice> *> choices;
  for (const auto &list : layout.choices)
    choices.push_back(&list);
  std::uint64_t number = 0;
  forEachInput(choices, [&](const Input &input) {
    const auto lane = static_cast<unsigned>(number % setsliced::lanes);
    if (lane == 0) {
      layout.planes.resize(layout.planes.size() + layout.planesPerBlock);
      layout.valid.emplace_back();
    }
    setLane(layout.valid.back(), lane);
    Plane *plane =
        layout.planes.data() + (layout.planes.size() - layout.planesPerBlock);
    for (std::size_t i = 0; i < input.size(); ++i) {
      const Elements &all = *elementsOf(parameters[i].type);
      for (const Element &element : input[i])
        setLane(plane[all.indexOf(element)], lane);
      plane += all.list.size();
    }
    ++number;
    return true;
  });
}

const Layout &SetSliced::World::layoutOf(const Program &program,
                                         std::uint32_t neverUndef) {
  key.clear();
  key.push_back(static_cast<char>(neverUndef));
  for (const corpus::Parameter &parameter : program.signature.parameters)
    key.push_back(static_cast<char>(parameter.type.id()));
  if (layouts.size() == maximumLayouts)
    layouts.clear();
  const auto [found, isNew] = layouts.try_emplace(key);
  if (isNew)
    buildLayout(program, neverUndef, found->second);
  return found->second;
}

std::uint32_t SetSliced::World::allocate(std::size_t planes) {
  const std::uint32_t at = filePlanes;
  filePlanes += static_cast<std::uint32_t>(planes);
  if (file.size() < filePlanes)
    file.resize(2 * static_cast<std::size_t>(filePlanes));
  return at;
}

std::uint32_t SetSliced::World::literalPlanes(const Operand &operand) {
  const std::size_t count = elementsOf(operand.type)->list.size();
  const std::uint32_t at = allocate(count);
  std::fill_n(file.begin() + at, count, Plane{});
  for (std::uint16_t index : literalElements(operand))
    std::fill(std::begin(file[at + index].words),
              std::end(file[at + index].words), ~std::uint64_t(0));
  return at;
}

bool SetSliced::World::restrict(const corpus::Attributes &attributes, Type type,
                                Side &side, std::uint32_t &planes) {
  const Elements *all = elementsOf(type);
  if (attributes.has(corpus::attribute::range)) {
    const OwnedTable *table = rangeTable(attributes, type);
    if (table == nullptr)
      return false;
    Step step;
    step.tables[0] = table->view();
    step.operands[0] = planes;
    step.result = planes = allocate(all->list.size());
    side.steps.push_back(step);
  }
  if (attributes.has(corpus::attribute::noundef)) {
    Step step;
    step.kind = Step::Kind::noundef;
    step.operands[0] = planes;
    step.size = static_cast<std::uint32_t>(all->list.size());
    step.poison = all->poisonFrom;
    side.steps.push_back(step);
  }
  return true;
}

bool SetSliced::World::compile(const Program &program, Side &side) {
  side.steps.clear();
  side.arguments.clear();
  side.pickBits = 0;
  side.results.assign(program.instructions.size(), 0);
  std::uint32_t plane = 0;
  for (const corpus::Parameter &parameter : program.signature.parameters) {
    side.arguments.push_back(plane);
    plane +=
        static_cast<std::uint32_t>(elementsOf(parameter.type)->list.size());
    if (!restrict(parameter.attributes, parameter.type, side,
                  side.arguments.back()))
      return false;
  }
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    if (!compile(program, program.instructions[i], i, side))
      return false;
  return side.pickBits <= maximumPickBits;
}

bool SetSliced::World::compile(const Program &program,
                               const Instruction &instruction,
                               std::size_t index, Side &side) {
  const bool isReturn = instruction.opcode == Opcode::ret;
  if (!isReturn &&
      (corpus::info(instruction.opcode).isTerminator() ||
       instruction.opcode == Opcode::phi || instruction.opcode == Opcode::call))
    return false;
  const corpus::CallAttributes *attributes =
      instruction.attributes == Instruction::noAttributes
          ? nullptr
          : &program.callAttributes[instruction.attributes];
  const bool hasParameterAttributes =
      attributes != nullptr && !attributes->parameters.empty();
  std::array<Operand, 3> operands;
  const auto all = program.operandsOf(instruction);
  std::array<std::uint32_t, 3> planes{};
  std::size_t place = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    operands[i] = all[i];
    // The index is an i32; any type that has both values does.
    if (instruction.opcode == Opcode::extractvalue && i == 1)
      operands[i].type = Type::integer(1);
    if (elementsOf(operands[i].type) == nullptr)
      return false;
    const bool hasAttributes =
        hasParameterAttributes && !attributes->parameters[i].empty();
    std::uint32_t at = 0;
    if (operands[i].is(Operand::Kind::argument))
      at = side.arguments[operands[i].payload];
    else if (operands[i].is(Operand::Kind::instruction))
      at = side.results[operands[i].payload];
    else if (isReturn || hasAttributes)
      at = literalPlanes(operands[i]);
    else
      continue;
    // No longer a literal, should it have been one.
    operands[i].kind = Operand::Kind::argument;
    if (hasAttributes &&
        !restrict(attributes->parameters[i], operands[i].type, side, at))
      return false;
    planes[place++] = at;
  }
  if (isReturn) {
    side.returned = planes[0];
    return all.empty() || restrict(program.signature.result, operands[0].type,
                                   side, side.returned);
  }

  const Operation operation = operationOf(program, instruction);
  const std::span<const Operand> used(operands.data(), all.size());
  Step step;
  std::copy(planes.begin(), planes.end(), step.operands);
  const auto setTable = [&](unsigned number, TableKey::Purpose purpose) {
    const OwnedTable *table = tableOf(purpose, operation, used);
    if (table != nullptr)
      step.tables[number] = table->view();
    return table != nullptr;
  };
  const auto fork = [&](Step::Kind kind, unsigned bits) {
    step.kind = kind;
    step.pickBits = static_cast<std::uint8_t>(bits);
    step.firstPick = static_cast<std::uint8_t>(side.pickBits);
    side.pickBits += bits;
  };
  if (instruction.opcode == Opcode::freeze) {
    fork(Step::Kind::pick, instruction.type.width());
    if (!setTable(0, TableKey::Purpose::pick))
      return false;
  } else if (instruction.opcode == Opcode::select &&
             semantics.selectCondition == SelectCondition::nondeterministic) {
    fork(Step::Kind::arm, 1);
    if (!setTable(0, TableKey::Purpose::arm0) ||
        !setTable(1, TableKey::Purpose::arm1))
      return false;
  } else if (!setTable(0, TableKey::Purpose::compute)) {
    return false;
  }
  std::uint32_t result = 0;
  if (!instruction.type.isVoid()) {
    const Elements *results = elementsOf(instruction.type);
    if (results == nullptr)
      return false;
    step.size = static_cast<std::uint32_t>(results->list.size());
    step.result = result = allocate(results->list.size());
  }
  side.steps.push_back(step);
  if (attributes != nullptr && !instruction.type.isVoid() &&
      !restrict(attributes->result, instruction.type, side, result))
    return false;
  side.results[index] = result;
  return true;
}

SetSliced::Result SetSliced::World::check(const Program &sourceProgram,
                                          const Program &targetProgram,
                                          std::uint32_t neverUndef,
                                          bool wantSmallest) {
  using Word = Result::Word;
  if (tableTerms > maximumTableTerms) {
    tables.clear();
    tableTerms = 0;
  }
  const Layout &layout = layoutOf(sourceProgram, neverUndef);
  if (layout.tooLarge)
    return {Word::cannot, {}, {}};
  filePlanes = 0;
  allocate(layout.planesPerBlock);
  if (!compile(sourceProgram, source) || !compile(targetProgram, target))
    return {Word::cannot, {}, {}};

  setsliced::Job job;
  job.file = file.data();
  job.inputPlanes = layout.planesPerBlock;
  job.inputs = layout.planes.data();
  job.valid = layout.valid.data();
  job.blocks = layout.valid.size();
  job.source = source.code();
  job.target = target.code();
  job.budget = termLimit;
  if (const Type type = sourceProgram.signature.returnType; !type.isVoid()) {
    const Elements *returned = elementsOf(type);
    const OwnedTable *covers = coversTable(type);
    if (returned == nullptr || covers == nullptr)
      return {Word::cannot, {}, {}};
    job.returnedSize = static_cast<std::uint32_t>(returned->list.size());
    job.returnedPoison = returned->poisonFrom;
    job.covers = covers->view();
  }
  const setsliced::Answer answer = kernel(job);
  if (answer.outOfBudget)
    return {Word::cannot, {}, {}};
  constexpr Kind kinds[] = {Kind::moreUb, Kind::morePoison, Kind::moreUndef,
                            Kind::value};
  for (unsigned kind = 0; kind < 4; ++kind) {
    const std::uint64_t lane = answer.firstLane[kind];
    if (lane == setsliced::Answer::never)
      continue;
    Result result{Word::wrong, kinds[kind], {}};
    if (wantSmallest) {
      const Plane *plane = layout.planes.data() +
                           lane / setsliced::lanes * layout.planesPerBlock;
      const auto bit = static_cast<unsigned>(lane % setsliced::lanes);
      Input input;
      for (const corpus::Parameter &parameter :
           sourceProgram.signature.parameters) {
        ValueSet set;
        for (const Element &element : elementsOf(parameter.type)->list) {
          if ((plane->words[bit / 64] >> bit % 64 & 1) != 0)
            set.push_back(element);
          ++plane;
        }
        normalise(set);
        input.push_back(std::move(set));
      }
      result.smallest = std::move(input);
    }
    return result;
  }
  return {};
}

SetSliced::SetSliced(std::uint64_t termLimit) : termLimit_(termLimit) {}
SetSliced::~SetSliced() = default;
SetSliced::SetSliced(SetSliced &&) noexcept = default;
SetSliced &SetSliced::operator=(SetSliced &&) noexcept = default;

SetSliced::World &SetSliced::worldOf(const Semantics &semantics) {
  for (const auto &world : worlds_)
    if (world->semantics == semantics)
      return *world;
  if (worlds_.size() == maximumWorlds)
    worlds_.clear();
  return *worlds_.emplace_back(std::make_unique<World>(semantics, termLimit_));
}

SetSliced::Result SetSliced::check(const Program &source, const Program &target,
                                   const Semantics &semantics,
                                   std::uint32_t neverUndef,
                                   bool wantSmallest) {
  const auto &parameters = source.signature.parameters;
  const bool isStraight =
      source.blocks.size() == 1 && target.blocks.size() == 1;
  const bool neverReturns =
      source.signature.function.has(corpus::attribute::noreturn) ||
      target.signature.function.has(corpus::attribute::noreturn);
  if (!isStraight || neverReturns || parameters.size() > 8)
    return {Result::Word::cannot, {}, {}};
  return worldOf(semantics).check(source, target, neverUndef, wantSmallest);
}

} // namespace checker
