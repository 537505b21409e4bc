// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace checker {
namespace {

std::string linesOf(const std::vector<NamedValue> &values) {
  std::string text;
  for (const NamedValue &value : values)
    text += fmt::format("{} {} = {}\n", value.type, value.name, value.text);
  return text;
}

nlohmann::json toJson(const std::vector<NamedValue> &values) {
  nlohmann::json list = nlohmann::json::array();
  for (const NamedValue &value : values)
    list.push_back(
        {{"name", value.name}, {"type", value.type}, {"value", value.text}});
  return list;
}

} // namespace

std::string headline(const Verdict &verdict) {
  std::string text(toString(verdict.word));
  if (verdict.word == VerdictWord::wrong)
    text += fmt::format(" ({})", toString(verdict.kind));
  if (!verdict.reason.empty())
    text += fmt::format(": {}", verdict.reason);
  return text;
}

std::string toText(const Witness &witness) {
  return fmt::format("Example:\n{}\nSource:\n{}{}\n\nTarget:\n{}{}\n",
                     linesOf(witness.inputs), linesOf(witness.sourceValues),
                     witness.sourceOutcome, linesOf(witness.targetValues),
                     witness.targetOutcome);
}

nlohmann::json toJson(const Witness &witness) {
  return {{"inputs", toJson(witness.inputs)},
          {"source",
           {{"values", toJson(witness.sourceValues)},
            {"outcome", witness.sourceOutcome}}},
          {"target",
           {{"values", toJson(witness.targetValues)},
            {"outcome", witness.targetOutcome}}}};
}

nlohmann::json toJson(const Verdict &verdict, std::string_view name,
                      std::string_view semantics) {
  nlohmann::json object = {
      {"name", name},           {"verdict", toString(verdict.word)},
      {"kind", nullptr},        {"witness", nullptr},
      {"semantics", semantics}, {"engine", verdict.engine}};
  if (verdict.word == VerdictWord::wrong)
    object["kind"] = toString(verdict.kind);
  if (verdict.witness)
    object["witness"] = toJson(*verdict.witness);
  if (!verdict.reason.empty())
    object["reason"] = verdict.reason;
  if (!verdict.choice.empty())
    object["choice"] = verdict.choice;
  return object;
}

} // namespace checker
