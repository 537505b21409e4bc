// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/json.h"

#include "checker/render.h"
#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "runner/protocol.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace reports {
namespace {

using Json = nlohmann::json;
using corpus::Program;

Json hex(const std::optional<Program> &program) {
  if (!program)
    return nullptr;
  return fmt::format("{:02x}", fmt::join(corpus::encode(*program), ""));
}

/// Nothing for what hex() did not write.
std::optional<Program> programFromHex(const std::string &text) {
  corpus::Bytes bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (std::from_chars(&text[2 * i], &text[2 * i] + 2, bytes[i], 16).ec !=
        std::errc())
      return std::nullopt;
  auto program = corpus::decode(bytes);
  if (!program)
    return std::nullopt;
  return std::move(*program);
}

constexpr std::array<std::string_view, 2> roleSpelling = {"needed", "cure"};

Json flagsJson(const Bug &bug) {
  Json flags = Json::array();
  for (const SourceFlag &each : bug.flags)
    flags.push_back(
        {{"flag", each.flag},
         {"instruction", each.instruction},
         {"role", roleSpelling[static_cast<std::size_t>(each.role)]}});
  return flags;
}

/// What triage adds to a bug, under the keys that are a contract; null where it
/// found nothing out.
void addFacts(const Bug &bug, Json &json) {
  for (const char *key :
       {"window", "widths", "lanes", "repair", "known", "instance"})
    json[key] = nullptr;
  if (!bug.window.empty())
    json["window"] = {{"text", windowText(bug)},
                      {"wrong", bug.window.wrong},
                      {"right", bug.window.right},
                      {"cannot_express", bug.window.cannotExpress},
                      {"undecided", bug.window.undecided},
                      {"otherwise", bug.window.otherwise}};
  for (const auto &[key, widths, text] :
       {std::tuple("widths", &bug.widths, widthsText(bug)),
        {"lanes", &bug.lanes, lanesText(bug)}})
    if (!widths->empty())
      json[key] = {{"text", text},
                   {"wrong", widths->wrong},
                   {"right", widths->right},
                   {"unknown", widths->unknown}};
  json["flags"] = flagsJson(bug);
  if (bug.repair)
    json["repair"] = {
        {"text", bug.repair->text},
        {"target", corpus::printModule(bug.repair->target, "f", bug.release)}};
  if (bug.known)
    json["known"] = {{"text", knownText(bug)},
                     {"id", bug.known->id},
                     {"issues", bug.known->issues},
                     {"campaign", bug.known->campaign}};
  if (bug.instance)
    json["instance"] = {{"index", bug.instance->index},
                        {"name", bug.instance->name}};
}

/// Reads what addFacts() wrote. Throws as bugOf() does.
void readFacts(const Json &json, Bug &bug) {
  if (const Json &window = json.at("window"); !window.is_null()) {
    window.at("wrong").get_to(bug.window.wrong);
    window.at("right").get_to(bug.window.right);
    window.at("cannot_express").get_to(bug.window.cannotExpress);
    // What older versions wrote has none of these.
    for (const auto &[key, releases] :
         {std::pair("undecided", &bug.window.undecided),
          {"otherwise", &bug.window.otherwise}})
      if (window.contains(key))
        window.at(key).get_to(*releases);
  }
  for (const auto &[key, widths] :
       {std::pair("widths", &bug.widths), {"lanes", &bug.lanes}})
    // What older versions wrote has no lanes.
    if (const Json &answers = json.value(key, Json()); !answers.is_null()) {
      answers.at("wrong").get_to(widths->wrong);
      answers.at("right").get_to(widths->right);
      answers.at("unknown").get_to(widths->unknown);
    }
  for (const Json &flag : json.at("flags"))
    bug.flags.push_back({flag.at("flag"), flag.at("instruction"),
                         flag.at("role") == roleSpelling.front()
                             ? SourceFlag::Role::needed
                             : SourceFlag::Role::cure});
  if (const Json &known = json.at("known"); !known.is_null())
    bug.known = Known{known.at("id"), known.at("issues"), known.at("campaign")};
  if (const Json &instance = json.at("instance"); !instance.is_null())
    bug.instance = PassInstance{instance.at("index"), instance.at("name")};
}

/// Requires the keys; throws nlohmann's exceptions where they are missing.
std::optional<Bug> bugOf(const Json &json) {
  Bug bug;
  json.at("id").get_to(bug.id);
  const auto kind = checker::parseKind(json.at("kind").get<std::string>());
  if (!kind)
    return std::nullopt;
  bug.kind = *kind;
  json.at("pass").get_to(bug.pass);
  // Lists of older programs have no rows.
  bug.root = json.value("root", bug.id);
  bug.kin = json.value("kin", "");
  bug.title = json.value("title", "");
  for (const Json &place : json.at("places"))
    bug.shownBy.push_back({place.at("lane"), place.at("column")});
  json.at("llvm").get_to(bug.releases);
  json.at("pipelines").get_to(bug.pipelines);
  json.at("semantics").get_to(bug.semantics);
  json.at("functions").get_to(bug.functions);
  json.at("functions_exact").get_to(bug.functionsExact);
  json.at("examples").get_to(bug.examples);
  json.at("detail").get_to(bug.detail);

  const Json &shown = json.at("reproduced");
  shown.at("llvm").get_to(bug.release);
  shown.at("pipeline").get_to(bug.pipeline);
  shown.at("as_run").get_to(bug.asRun);
  shown.at("semantics").get_to(bug.checkedUnder);
  const auto program = [&](const char *name) -> std::optional<Program> {
    if (shown.at(name).is_null())
      return std::nullopt;
    return programFromHex(shown.at(name));
  };
  const auto source = program("source");
  if (!source)
    return std::nullopt;
  bug.source = *source;
  bug.target = program("target");
  bug.input = program("input");
  readFacts(json, bug);
  if (auto repaired = program("repaired"))
    bug.repair = Repair{json.at("repair").at("text"), std::move(*repaired)};
  if (bug.target) {
    if (!checker::parseSemantics(bug.checkedUnder))
      return std::nullopt;
    bug.verdict = explain(bug);
  }
  return bug;
}

} // namespace

Json toJson(const Bug &bug) {
  Json places = Json::array();
  for (const auto &place : bug.shownBy)
    places.push_back({{"lane", place.lane}, {"column", place.column}});
  Json json = {
      {"id", bug.id},
      {"kind", checker::toString(bug.kind)},
      {"pass", bug.pass},
      {"root", bug.root},
      {"kin", bug.kin},
      {"title", bug.title},
      {"llvm", bug.releases},
      {"pipelines", bug.pipelines},
      {"semantics", bug.semantics},
      {"functions", bug.functions},
      {"functions_exact", bug.functionsExact},
      {"examples", bug.examples},
      {"places", std::move(places)},
      {"detail", bug.detail},
      {"source", corpus::printModule(bug.source, "f", bug.release)},
      {"target", nullptr},
      {"witness", nullptr},
      {"command", command(bug)},
      // What the lines above are made from.
      {"reproduced",
       {{"llvm", bug.release},
        {"pipeline", bug.pipeline},
        {"as_run", bug.asRun},
        {"semantics", bug.checkedUnder},
        {"source", hex(bug.source)},
        {"target", hex(bug.target)},
        {"input", hex(bug.input)},
        {"repaired",
         hex(bug.repair ? std::optional(bug.repair->target) : std::nullopt)}}},
  };
  addFacts(bug, json);
  if (bug.target)
    json["target"] = corpus::printModule(*bug.target, "f", bug.release);
  if (bug.verdict.witness)
    json["witness"] = checker::toJson(*bug.verdict.witness);
  return json;
}

corpus::Result<Bug> bugFromJson(const std::string &text) {
  try {
    if (auto bug = bugOf(Json::parse(text)))
      return std::move(*bug);
  } catch (const Json::exception &) {
    // Said below.
  }
  return corpus::Error{
      "the database holds a bug that this irsieve cannot read; "
      "`irsieve triage --db FILE` makes its bugs anew"};
}

} // namespace reports
