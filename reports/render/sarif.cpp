// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/sarif.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reports {
namespace {

using Json = nlohmann::json;

Json rules() {
  Json list = Json::array();
  for (std::size_t i = 0; i < checker::kindSpelling.size(); ++i)
    list.push_back({{"id", checker::kindSpelling[i]},
                    {"shortDescription",
                     {{"text", titleOf(static_cast<checker::Kind>(i))}}}});
  return list;
}

Json resultOf(const Bug &bug) {
  Json properties = {{"llvm", bug.releases},
                     {"pipelines", bug.pipelines},
                     {"semantics", bug.semantics},
                     {"functions", bug.functions},
                     {"command", command(bug)}};
  for (const auto &[key, text] : {std::pair("window", windowText(bug)),
                                  {"widths", widthsText(bug)},
                                  {"lanes", lanesText(bug)},
                                  {"repair", repairText(bug)},
                                  {"flags", flagsText(bug)},
                                  {"known", knownText(bug)}})
    if (!text.empty())
      properties[key] = text;
  return {{"ruleId", checker::toString(bug.kind)},
          {"ruleIndex", static_cast<std::size_t>(bug.kind)},
          {"level", "error"},
          {"baselineState", bug.known ? "unchanged" : "new"},
          {"message",
           {{"text", fmt::format("[{}] {}: {}", bug.pass, headline(bug),
                                 oneLine(bug))}}},
          {"partialFingerprints", {{"irsieveSignature/v1", bug.id}}},
          // Where a reader can look: the test that shows it, and the pass.
          {"locations",
           {{{"physicalLocation",
              {{"artifactLocation",
                {{"uri", fmt::format("lit/{}.ll", bug.id)},
                 {"uriBaseId", "REPORT"}}}}},
             {"logicalLocations",
              {{{"name", bug.pass},
                {"fullyQualifiedName",
                 fmt::format("LLVM {}/{}", bug.release, bug.pass)},
                {"kind", "module"}}}}}}},
          {"properties", std::move(properties)}};
}

} // namespace

Json sarif(const Report &report) {
  Json results = Json::array();
  for (const Bug &bug : report.bugs)
    results.push_back(resultOf(bug));
  return {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/"
                      "schemas/sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs",
           {{{"tool",
              {{"driver",
                {{"name", "irsieve"},
                 {"version", IRSIEVE_VERSION},
                 {"rules", rules()}}}}},
             {"originalUriBaseIds",
              {{"REPORT",
                {{"description",
                  {{"text", "the folder that irsieve report wrote"}}}}}}},
             {"properties", {{"space", report.matrix.space}}},
             {"results", std::move(results)}}}}};
}

} // namespace reports
