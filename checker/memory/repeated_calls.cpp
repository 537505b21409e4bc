// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/repeated_calls.h"

#include "checker/exact/run.h"
#include "corpus/program/canonical.h"
#include "corpus/program/graph.h"
#include "corpus/program/library.h"

#include <algorithm>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace {

bool mayWrite(const Program &program, const Instruction &instruction) {
  if (instruction.opcode != Opcode::call)
    return corpus::info(instruction.opcode).has(corpus::trait::writesMemory);
  if (const auto *known = corpus::libraryFunctionOf(program, instruction))
    return !known->reads();
  return (effectsOfCall(program, instruction) & corpus::memory::writeOnly) != 0;
}

/// What reads nothing writes the same again.
bool mayRepeat(const Program &program, const Instruction &call) {
  return call.opcode == Opcode::call &&
         corpus::libraryFunctionOf(program, call) == nullptr &&
         (!mayWrite(program, call) ||
          (effectsOfCall(program, call) & corpus::memory::readOnly) == 0);
}

class Repeats {
public:
  Repeats(const Program &program, const Semantics &semantics)
      : program_(program), semantics_(semantics),
        sets_(setsIn(program, semantics)), graph_(program) {}

  /// By instruction: the first call that it repeats, or itself.
  std::vector<std::size_t> find() {
    const std::size_t count = program_.instructions.size();
    firsts_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      firsts_[i] = i;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < i && firsts_[i] == i; ++k)
        if (firsts_[k] == k && isRepeat(k, i))
          firsts_[i] = k;
    return firsts_;
  }

private:
  bool isRepeat(std::size_t first, std::size_t second) const {
    const Instruction &a = program_.instructions[first];
    const Instruction &b = program_.instructions[second];
    return mayRepeat(program_, a) && mayRepeat(program_, b) &&
           a.callee == b.callee && saysTheSame(a, b) && takesTheSame(a, b) &&
           isBehind(first, second);
  }

  bool saysTheSame(const Instruction &a, const Instruction &b) const {
    static const corpus::CallAttributes none;
    const auto of = [&](const Instruction &call) -> const auto & {
      return call.attributes == Instruction::noAttributes
                 ? none
                 : program_.callAttributes[call.attributes];
    };
    return of(a) == of(b);
  }

  /// A set would be another value to each of them.
  bool takesTheSame(const Instruction &a, const Instruction &b) const {
    const auto x = program_.operandsOf(a);
    const auto y = program_.operandsOf(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [&](const Operand &one, const Operand &other) {
                        return asFirst(one) == asFirst(other) &&
                               setLanes(program_, semantics_, sets_, one) == 0;
                      });
  }

  Operand asFirst(Operand operand) const {
    if (operand.is(Operand::Kind::instruction))
      operand.payload = firsts_[operand.payload];
    return operand;
  }

  /// Every run that comes to `second` has made `first`, and since then nothing
  /// was written, if that matters: in one block, or nowhere.
  bool isBehind(std::size_t first, std::size_t second) const {
    const std::size_t from = blockOf(first);
    const std::size_t to = blockOf(second);
    const bool matters =
        effectsOfCall(program_, program_.instructions[first]) != 0;
    const auto isKept = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (matters && firsts_[i] != first &&
            mayWrite(program_, program_.instructions[i]))
          return false;
      return true;
    };
    if (from == to)
      return isKept(first, second);
    return graph_.isReachable(to) && graph_.dominates(from, to) &&
           isKept(0, program_.instructions.size());
  }

  std::size_t blockOf(std::size_t instruction) const {
    std::size_t block = 0;
    while (program_.blocks[block].end <= instruction)
      ++block;
    return block;
  }

  const Program &program_;
  const Semantics &semantics_;
  std::vector<bool> sets_;
  corpus::Graph graph_;
  std::vector<std::size_t> firsts_;
};

} // namespace

std::optional<Rewritten> withoutRepeatedCalls(const Program &program,
                                              const Semantics &semantics) {
  if (std::ranges::count_if(program.instructions, [&](const auto &each) {
        return mayRepeat(program, each);
      }) < 2)
    return std::nullopt;
  const std::vector<std::size_t> firsts = Repeats(program, semantics).find();
  Rewritten result{program, {}};
  std::vector<std::size_t> place; // of what is left
  std::size_t left = 0;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    place.push_back(firsts[i] == i ? left++ : place[firsts[i]]);
    result.values.push_back(Operand::instruction(
        program.instructions[i].type, static_cast<std::uint32_t>(place[i])));
  }
  if (left == firsts.size())
    return std::nullopt;
  for (Operand &operand : result.program.operands)
    if (operand.is(Operand::Kind::instruction))
      operand.payload = firsts[operand.payload];
  for (std::size_t i = firsts.size(); i-- > 0;)
    if (firsts[i] != i)
      result.program = corpus::withoutInstruction(result.program, i);
  return result;
}

} // namespace checker
