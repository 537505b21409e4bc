// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/lack.h"

#include "enumerate/folds.h"
#include "enumerate/spec.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enumerate {

void Lack::note(corpus::Opcode opcode, corpus::Flags flags) {
  const corpus::OpcodeInfo &row = corpus::info(opcode);
  if (row.since > release_)
    return add(fmt::format("`{}`", row.spelling));
  for (const corpus::FlagInfo &flag : corpus::flagTable)
    if (flags.has(flag.flag) &&
        corpus::flagsSince(opcode, flag.flag) > release_)
      add(fmt::format("`{} {}`", row.spelling, flag.spelling));
}

void Lack::note(const corpus::Attributes &attributes) {
  for (const corpus::AttributeInfo &row : corpus::attributeTable)
    if (attributes.has(row.bit) && row.since > release_)
      add(fmt::format("`{}`", row.spelling));
}

void Lack::add(std::string name) {
  if (std::find(names_.begin(), names_.end(), name) == names_.end())
    names_.push_back(std::move(name));
}

std::optional<std::string> Lack::message(std::string_view advice) const {
  if (names_.empty())
    return std::nullopt;
  return fmt::format("LLVM {} has no {}; {}", release_, fmt::join(names_, ", "),
                     advice);
}

std::optional<std::string> lackOf(const SpaceSpec &spec, unsigned release) {
  const Vocabulary vocabulary = spec.vocabulary();
  Lack lack(release);
  const std::vector<TemplateGroup> groups = makeTemplateGroups(vocabulary);
  for (const TemplateGroup &group : groups)
    for (const Template &made : group.templates) {
      if (!made.idiom)
        lack.note(made.opcode, made.flags);
      else
        for (const corpus::Instruction &each : made.idiom->instructions)
          lack.note(each.opcode, each.flags);
    }
  for (const TemplateGroup &group : groups)
    if (group.callee) {
      lack.note(group.callee->signature.function);
      for (const auto &parameter : group.callee->signature.parameters)
        lack.note(parameter.attributes);
    }
  if (vocabulary.memory)
    for (const std::uint32_t bit : vocabulary.memory->attributes) {
      corpus::Attributes attributes;
      addPointerAttribute(attributes, bit, spec.memory.window);
      lack.note(attributes);
    }
  return lack.message(spec.memory.empty() ? "take vocabulary core"
                                          : "take less of mem=");
}

std::optional<std::string> lackOf(std::string_view text, unsigned release) {
  const auto folds = parseFoldSpec(text);
  assert(folds);
  if (*folds) // edits add nothing that is newer
    return makeListSpace(std::string(text), makeFolds(**folds))
        ->lackIn(release);
  const auto spec = parseSpec(text);
  assert(spec);
  return lackOf(*spec, release);
}

} // namespace enumerate
