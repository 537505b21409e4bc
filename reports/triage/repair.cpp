// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/repair.h"

#include "corpus/program/print.h"

#include <algorithm>
#include <fmt/format.h>

namespace reports {
namespace {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

std::optional<Program> valid(Program program) {
  if (corpus::verify(program))
    return std::nullopt;
  return program;
}

void addFlagEdits(const Program &target, std::vector<Edit> &edits) {
  for (std::size_t i = 0; i < target.instructions.size(); ++i)
    for (const corpus::FlagInfo &row : corpus::flagTable)
      if (target.instructions[i].flags.has(row.flag))
        edits.push_back(
            {Edit::Kind::flag,
             i,
             row.flag,
             {},
             fmt::format("drop {} of {}", row.spelling, corpus::resultName(i)),
             [i, flag = row.flag](const Program &program) {
               Program out = program;
               corpus::Flags &flags = out.instructions[i].flags;
               flags = flags.without(flag);
               return std::optional(std::move(out));
             }});
}

/// All that say something of the function, its arguments and its calls.
std::vector<corpus::Attributes *> attributesIn(Program &program) {
  corpus::Signature &signature = program.signature;
  std::vector<corpus::Attributes *> all = {&signature.function,
                                           &signature.result};
  for (corpus::Parameter &parameter : signature.parameters)
    all.push_back(&parameter.attributes);
  for (corpus::CallAttributes &call : program.callAttributes) {
    all.push_back(&call.function);
    all.push_back(&call.result);
    for (corpus::Attributes &argument : call.parameters)
      all.push_back(&argument);
  }
  return all;
}

void addAttributeEdits(const Program &target, std::vector<Edit> &edits) {
  std::uint32_t present = 0;
  Program scratch = target;
  for (const corpus::Attributes *each : attributesIn(scratch))
    present |= each->bits;
  for (const corpus::AttributeInfo &row : corpus::attributeTable)
    if ((present & row.bit) != 0) {
      Edit edit;
      edit.kind = Edit::Kind::attributes;
      edit.attribute = row.bit;
      edit.text = fmt::format("drop {}", row.spelling);
      edit.apply = [bit = row.bit](const Program &program) {
        Program out = program;
        for (corpus::Attributes *each : attributesIn(out))
          each->remove(bit);
        return std::optional(std::move(out));
      };
      edits.push_back(std::move(edit));
    }
}

void addAlignmentEdits(const Program &target, std::vector<Edit> &edits) {
  for (std::size_t i = 0; i < target.instructions.size(); ++i) {
    const Instruction &access = target.instructions[i];
    if ((access.opcode != Opcode::load && access.opcode != Opcode::store) ||
        access.alignment <= 1)
      continue;
    edits.push_back({Edit::Kind::alignment,
                     i,
                     {},
                     {},
                     fmt::format("lower the alignment of `{}` to 1",
                                 corpus::printInstruction(target, i)),
                     [i](const Program &program) {
                       Program out = program;
                       out.instructions[i].alignment = 1;
                       return std::optional(std::move(out));
                     }});
  }
}

/// All edits from `begin` on at once.
void addAll(std::size_t begin, const std::string &text,
            std::vector<Edit> &edits) {
  if (edits.size() < begin + 2)
    return;
  const std::vector<Edit> parts(
      edits.begin() + static_cast<std::ptrdiff_t>(begin), edits.end());
  Edit all = parts.front();
  all.text = text;
  all.apply = [parts](const Program &program) {
    std::optional<Program> out = program;
    for (const Edit &part : parts)
      if (out)
        out = part.apply(*out);
    return out;
  };
  edits.push_back(std::move(all));
}

void addFreezeEdits(const Program &target, std::vector<Edit> &edits) {
  std::vector<Operand> values;
  for (const Operand &operand : target.operands)
    if ((operand.is(Operand::Kind::argument) ||
         operand.is(Operand::Kind::instruction)) &&
        operand.type.isInteger() &&
        std::find(values.begin(), values.end(), operand) == values.end())
      values.push_back(operand);
  for (const Operand &value : values)
    edits.push_back(
        {Edit::Kind::freeze,
         0,
         {},
         value,
         fmt::format("freeze {}", printOperand(target, value)),
         [kind = value.kind, index = value.payload](const Program &program) {
           Operand same;
           same.kind = kind;
           same.payload = index;
           same.type = kind == Operand::Kind::argument
                           ? program.signature.parameters[index].type
                           : program.instructions[index].type;
           return withFrozen(program, same);
         }});
}

void addSelectEdits(const Program &target, std::vector<Edit> &edits) {
  const corpus::Type i1 = corpus::Type::integer(1);
  for (std::size_t i = 0; i < target.instructions.size(); ++i) {
    const Opcode opcode = target.instructions[i].opcode;
    if (target.instructions[i].type != i1 ||
        (opcode != Opcode::and_ && opcode != Opcode::or_))
      continue;
    for (const std::size_t first : {0, 1})
      edits.push_back(
          {Edit::Kind::logical,
           i,
           {},
           {},
           fmt::format(
               "make {} a select on {}", corpus::resultName(i),
               printOperand(target,
                            target.operandsOf(target.instructions[i])[first])),
           [i, first, i1](const Program &program) {
             Program out = program.withoutBlocks();
             for (const corpus::Block &block : program.blocks) {
               out.beginBlock();
               for (std::size_t j = block.begin; j < block.end; ++j) {
                 const Instruction &copy = program.instructions[j];
                 const auto operands = program.operandsOf(copy);
                 if (j != i) {
                   out.append(copy, operands);
                   continue;
                 }
                 if (copy.opcode == Opcode::and_) {
                   out.append(Opcode::select, i1,
                              {operands[first], operands[1 - first],
                               Operand::constant(i1, 0)});
                 } else {
                   out.append(Opcode::select, i1,
                              {operands[first], Operand::constant(i1, 1),
                               operands[1 - first]});
                 }
               }
             }
             return valid(std::move(out));
           }});
  }
}

Edit both(const Edit &first, const Edit &second) {
  Edit edit = first;
  edit.text = fmt::format("{} and {}", first.text, second.text);
  edit.apply = [a = first.apply, b = second.apply](const Program &program) {
    // Only what keeps the numbers of the results may go first.
    auto half = b(program);
    return half ? a(*half) : std::nullopt;
  };
  return edit;
}

} // namespace

std::optional<Program> withFrozen(const Program &program,
                                  const Operand &value) {
  Program out = program.withoutBlocks();
  const bool isArgument = value.is(Operand::Kind::argument);
  // A freeze stands behind the phis of its block.
  std::size_t behind = 0;
  if (!isArgument) {
    behind = value.payload;
    while (program.instructions[behind].opcode == Opcode::phi &&
           program.instructions[behind + 1].opcode == Opcode::phi)
      ++behind;
  }
  const std::size_t frozenAt = isArgument ? 0 : behind + 1;
  const auto moved = [&](std::size_t index) {
    return index < frozenAt ? index : index + 1;
  };
  const Operand frozen = Operand::instruction(value.type, frozenAt);
  const auto freeze = [&] {
    Operand operand = value;
    out.append(Opcode::freeze, value.type, {operand});
  };
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    out.beginBlock();
    if (isArgument && b == 0)
      freeze();
    for (std::size_t i = program.blocks[b].begin; i < program.blocks[b].end;
         ++i) {
      const Instruction &instruction = program.instructions[i];
      const auto operands = program.operandsOf(instruction);
      std::vector<Operand> copies(operands.begin(), operands.end());
      for (Operand &operand : copies) {
        if (operand == value)
          operand = frozen;
        else if (operand.is(Operand::Kind::instruction))
          operand.payload = moved(operand.payload);
      }
      out.append(instruction, copies);
      if (!isArgument && i == behind)
        freeze();
    }
  }
  return valid(std::move(out));
}

std::vector<Edit> repairsOf(const Program &target) {
  std::vector<Edit> edits;
  addFlagEdits(target, edits);
  std::size_t begin = edits.size();
  addAttributeEdits(target, edits);
  addAll(begin, "drop all attributes", edits);
  begin = edits.size();
  addAlignmentEdits(target, edits);
  addAll(begin, "lower the alignments to 1", edits);
  const std::size_t keepNumbers = edits.size();
  addFreezeEdits(target, edits);
  const std::size_t singleFreezes = edits.size();
  addSelectEdits(target, edits);
  const std::size_t single = edits.size();
  // Two that keep the numbers, or one that does with one that does not.
  for (std::size_t i = 0; i < keepNumbers; ++i)
    for (std::size_t j = i + 1; j < single; ++j)
      edits.push_back(j < keepNumbers ? both(edits[i], edits[j])
                                      : both(edits[j], edits[i]));
  // Freezing keeps the numbers of the arguments.
  for (std::size_t i = keepNumbers; i < singleFreezes; ++i)
    for (std::size_t j = i + 1; j < singleFreezes; ++j)
      if (edits[i].text.find("%v") == std::string::npos &&
          edits[j].text.find("%v") == std::string::npos)
        edits.push_back(both(edits[i], edits[j]));
  return edits;
}

} // namespace reports
