// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/flow.h"

#include "corpus/program/graph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace reports {
namespace {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

/// A program as lists that are easy to change. Results and blocks keep the
/// numbers that they had in the program it was made from.
class Draft {
public:
  struct Line {
    std::size_t id; ///< of the result
    Instruction instruction;
    std::vector<Operand> operands;
  };
  using Lines = std::vector<Line>;

  explicit Draft(const Program &program) : origin_(program) {
    signature.returnType = program.signature.returnType;
    for (const corpus::Block &block : program.blocks) {
      Lines &lines = blocks.emplace_back();
      for (std::size_t i = block.begin; i < block.end; ++i) {
        const auto operands = program.operandsOf(program.instructions[i]);
        lines.push_back(
            {i, program.instructions[i], {operands.begin(), operands.end()}});
      }
    }
    signature = program.signature;
  }

  corpus::Signature signature;
  std::vector<Lines> blocks;

  Line &terminator(std::size_t block) { return blocks[block].back(); }
  const Line &terminator(std::size_t block) const {
    return blocks[block].back();
  }
  /// One for each edge.
  std::vector<std::size_t> successors(std::size_t block) const {
    std::vector<std::size_t> result;
    for (const Operand &operand : terminator(block).operands)
      if (operand.is(Operand::Kind::block))
        result.push_back(operand.payload);
    return result;
  }
  /// One for each edge.
  std::vector<std::size_t> predecessors(std::size_t block) const {
    std::vector<std::size_t> result;
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (const std::size_t successor : successors(b))
        if (successor == block)
          result.push_back(b);
    return result;
  }
  void setTerminator(std::size_t block, Opcode opcode,
                     std::vector<Operand> operands) {
    Instruction instruction;
    instruction.opcode = opcode;
    terminator(block).instruction = instruction;
    terminator(block).operands = std::move(operands);
  }
  void branch(std::size_t from, std::size_t to) {
    setTerminator(from, Opcode::br, {Operand::block(to)});
  }

  void replaceResult(std::size_t id, const Operand &by) {
    for (Lines &lines : blocks)
      for (Line &line : lines)
        for (Operand &operand : line.operands)
          if (operand.is(Operand::Kind::instruction) && operand.payload == id)
            operand = by;
  }

  /// What is left once the blocks that are not reached are gone; nothing when
  /// that is no program.
  std::optional<Program> finish() {
    const std::vector<std::size_t> order = this->order();
    if (!fitPhis(order))
      return std::nullopt;
    Program program = write(order);
    if (corpus::verify(program))
      return std::nullopt;
    return program;
  }

private:
  /// Of the blocks that are still reached.
  std::vector<std::size_t> order() const {
    std::vector<std::vector<std::size_t>> next;
    for (std::size_t block = 0; block < blocks.size(); ++block)
      next.push_back(successors(block));
    const corpus::Graph graph(next);
    return {graph.order().begin(), graph.order().end()};
  }

  /// Gives every phi an operand for each edge that is left, and replaces those
  /// that choose nothing.
  bool fitPhis(const std::vector<std::size_t> &order) {
    std::vector<bool> reached(blocks.size(), false);
    for (const std::size_t block : order)
      reached[block] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t block : order) {
        std::vector<std::size_t> incoming;
        for (const std::size_t from : order)
          for (const std::size_t successor : successors(from))
            if (successor == block)
              incoming.push_back(from);
        Lines &lines = blocks[block];
        for (std::size_t i = 0;
             i < lines.size() && lines[i].instruction.opcode == Opcode::phi;) {
          if (!fitPhi(lines[i], incoming))
            return false;
          const std::optional<Operand> only = onlyValue(lines[i]);
          if (!only) {
            ++i;
            continue;
          }
          replaceResult(lines[i].id, *only);
          lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
          changed = true;
        }
      }
    }
    return true;
  }

  static bool fitPhi(Line &phi, const std::vector<std::size_t> &incoming) {
    std::vector<Operand> operands;
    for (const std::size_t from : incoming) {
      std::size_t i = 0;
      while (i < phi.operands.size() && phi.operands[i + 1].payload != from)
        i += 2;
      if (i == phi.operands.size())
        return false;
      operands.push_back(phi.operands[i]);
      operands.push_back(phi.operands[i + 1]);
    }
    phi.operands = std::move(operands);
    return true;
  }

  /// The value of a phi that has one, itself aside.
  static std::optional<Operand> onlyValue(const Line &phi) {
    std::optional<Operand> only;
    for (std::size_t i = 0; i < phi.operands.size(); i += 2) {
      const Operand &value = phi.operands[i];
      if (value.is(Operand::Kind::instruction) && value.payload == phi.id)
        continue;
      if (only && *only != value)
        return std::nullopt;
      only = value;
    }
    return only;
  }

  Program write(const std::vector<std::size_t> &order) const {
    std::map<std::size_t, std::size_t> newBlock;
    std::map<std::size_t, std::size_t> newResult;
    for (const std::size_t block : order) {
      newBlock.emplace(block, newBlock.size());
      for (const Line &line : blocks[block])
        newResult.emplace(line.id, newResult.size());
    }
    Program program = origin_.withoutBlocks();
    program.signature = signature;
    for (const std::size_t block : order) {
      program.beginBlock();
      for (const Line &line : blocks[block]) {
        std::vector<Operand> operands = line.operands;
        for (Operand &operand : operands) {
          if (operand.is(Operand::Kind::block))
            operand.payload = newBlock.at(operand.payload);
          // A block that is gone may have held it: then verify() complains.
          if (operand.is(Operand::Kind::instruction)) {
            const auto found = newResult.find(operand.payload);
            operand.payload =
                found == newResult.end() ? ~std::uint64_t(0) : found->second;
          }
        }
        program.append(line.instruction, operands);
      }
    }
    return program;
  }

  const Program &origin_;
};

class Steps {
public:
  explicit Steps(const Program &program) : program_(program) {}

  std::vector<Program> run() {
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      takeOneSide(b);
      dropCase(b);
      returnInstead(b);
      foldSuccessor(b);
      threadThrough(b);
    }
    returnNothing();
    return std::move(found_);
  }

private:
  void add(Draft &draft) {
    if (auto program = draft.finish())
      found_.push_back(std::move(*program));
  }

  void takeOneSide(std::size_t block) {
    const auto successors = Draft(program_).successors(block);
    if (successors.size() < 2)
      return;
    for (const std::size_t successor : successors) {
      Draft draft(program_);
      draft.branch(block, successor);
      add(draft);
    }
  }

  void dropCase(std::size_t block) {
    const Draft whole(program_);
    const Draft::Line &terminator = whole.terminator(block);
    if (terminator.instruction.opcode != Opcode::switch_)
      return;
    // value, default block, then a constant and a block for each case
    for (std::size_t i = 2; i < terminator.operands.size(); i += 2) {
      Draft draft(program_);
      auto &operands = draft.terminator(block).operands;
      const auto begin = operands.begin() + static_cast<std::ptrdiff_t>(i);
      operands.erase(begin, begin + 2);
      add(draft);
    }
  }

  void returnInstead(std::size_t block) {
    Draft draft(program_);
    if (draft.successors(block).empty())
      return;
    const corpus::Type type = draft.signature.returnType;
    std::vector<Operand> value;
    if (type.isInteger()) {
      draft.signature.parameters.push_back({type, {}});
      value.push_back(
          Operand::argument(type, draft.signature.parameters.size() - 1));
    } else if (!type.isVoid()) {
      return;
    }
    draft.setTerminator(block, Opcode::ret, std::move(value));
    add(draft);
  }

  void foldSuccessor(std::size_t block) {
    if (auto program = folded(program_, block))
      found_.push_back(std::move(*program));
  }

public:
  /// A block that alone leads to another swallows it.
  static std::optional<Program> folded(const Program &program,
                                       std::size_t block) {
    Draft draft(program);
    const auto successors = draft.successors(block);
    if (successors.size() != 1 || successors[0] == block ||
        draft.predecessors(successors[0]).size() != 1)
      return std::nullopt;
    const std::size_t swallowed = successors[0];
    auto &lines = draft.blocks[block];
    auto &others = draft.blocks[swallowed];
    lines.pop_back();
    for (Draft::Line &line : others) {
      if (line.instruction.opcode == Opcode::phi)
        draft.replaceResult(line.id, line.operands[0]);
    }
    for (Draft::Line &line : others)
      if (line.instruction.opcode != Opcode::phi)
        lines.push_back(line);
    renameInPhis(draft, swallowed, {block});
    return draft.finish();
  }

private:
  /// Who branches to a block that only branches on does so at once.
  void threadThrough(std::size_t block) {
    Draft draft(program_);
    const auto successors = draft.successors(block);
    if (block == 0 || draft.blocks[block].size() != 1 ||
        successors.size() != 1 || successors[0] == block)
      return;
    const auto predecessors = draft.predecessors(block);
    for (const std::size_t from : predecessors) {
      for (Operand &operand : draft.terminator(from).operands)
        if (operand == Operand::block(block))
          operand = Operand::block(successors[0]);
      const auto now = draft.successors(from);
      // A phi could tell two equal edges apart no more.
      if (std::count(now.begin(), now.end(), successors[0]) > 1) {
        if (now.size() > 2 ||
            !sameOnBothEdges(draft, from, block, successors[0]))
          return;
        draft.branch(from, successors[0]);
      }
    }
    renameInPhis(draft, block, predecessors);
    add(draft);
  }

  /// Whether the phis of `to` have one value for the edges from both.
  static bool sameOnBothEdges(const Draft &draft, std::size_t a, std::size_t b,
                              std::size_t to) {
    for (const Draft::Line &line : draft.blocks[to]) {
      if (line.instruction.opcode != Opcode::phi)
        break;
      std::optional<Operand> value;
      for (std::size_t i = 0; i < line.operands.size(); i += 2) {
        const std::size_t from = line.operands[i + 1].payload;
        if (from != a && from != b)
          continue;
        if (value && *value != line.operands[i])
          return false;
        value = line.operands[i];
      }
    }
    return true;
  }

  /// In every phi, what came from `block` comes from each of `others`.
  static void renameInPhis(Draft &draft, std::size_t block,
                           const std::vector<std::size_t> &others) {
    for (Draft::Lines &lines : draft.blocks)
      for (Draft::Line &line : lines) {
        if (line.instruction.opcode != Opcode::phi)
          continue;
        std::vector<Operand> operands;
        for (std::size_t i = 0; i < line.operands.size(); i += 2) {
          if (line.operands[i + 1].payload != block) {
            operands.insert(operands.end(),
                            {line.operands[i], line.operands[i + 1]});
            continue;
          }
          for (const std::size_t other : others)
            operands.insert(operands.end(),
                            {line.operands[i], Operand::block(other)});
        }
        line.operands = std::move(operands);
      }
  }

  void returnNothing() {
    if (program_.signature.returnType.isVoid())
      return;
    Draft draft(program_);
    draft.signature.returnType = {};
    draft.signature.result = {};
    std::vector<std::size_t> bare;
    for (std::size_t b = 0; b < draft.blocks.size(); ++b)
      if (draft.terminator(b).instruction.opcode == Opcode::ret) {
        draft.terminator(b).operands.clear();
        if (draft.blocks[b].size() == 1)
          bare.push_back(b);
      }
    for (const std::size_t from : bare)
      for (const std::size_t to : bare)
        if (from != to) {
          Draft joined = draft;
          joined.branch(from, to);
          add(joined);
        }
    add(draft);
  }

  const Program &program_;
  std::vector<Program> found_;
};

} // namespace

std::vector<Program> flowSteps(const Program &program) {
  if (program.isStraightLine())
    return {};
  return Steps(program).run();
}

Program withBlocksFolded(Program program) {
  for (std::size_t block = 0; block < program.blocks.size(); ++block) {
    // A switch without cases still looks at its value.
    const std::size_t last = program.blocks[block].end - 1;
    if (program.instructions[last].opcode != Opcode::br)
      continue;
    if (auto smaller = Steps::folded(program, block))
      return withBlocksFolded(std::move(*smaller));
  }
  return program;
}

std::vector<Program> conditionsReturned(const Program &program) {
  std::vector<Program> result;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    Draft draft(program);
    if (draft.successors(b).size() < 2)
      continue;
    const Operand condition = draft.terminator(b).operands.front();
    draft.setTerminator(b, Opcode::ret, {condition});
    draft.signature.returnType = condition.type;
    draft.signature.result = {};
    if (auto returning = draft.finish())
      result.push_back(std::move(*returning));
  }
  return result;
}

std::vector<Program> withSidesSwapped(const Program &program) {
  std::vector<Program> result;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    Draft draft(program);
    auto &operands = draft.terminator(b).operands;
    if (draft.terminator(b).instruction.opcode != Opcode::br ||
        operands.size() != 3)
      continue;
    std::swap(operands[1], operands[2]);
    if (auto swapped = draft.finish())
      result.push_back(std::move(*swapped));
  }
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &phi = program.instructions[i];
    if (phi.opcode != Opcode::phi || phi.operandCount != 4)
      continue;
    Program swapped = program;
    const auto operands = swapped.operandsOf(swapped.instructions[i]);
    std::swap(operands[0], operands[2]);
    if (!corpus::verify(swapped))
      result.push_back(std::move(swapped));
  }
  return result;
}

Program inFlowOrder(const Program &program) {
  return Draft(program).finish().value_or(program);
}

} // namespace reports
