// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/explorer.h"

#include "corpus/program/print.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace reports {
namespace {

/// Ids from its etc/config/llvm.amazon.properties.
constexpr std::pair<unsigned, const char *> compilers[] = {
    {13, "opt1300"}, {14, "opt1400"}, {15, "opt1500"}, {16, "opt1600"}};
constexpr const char *trunk = "opttrunk";

} // namespace

std::string base64Url(std::string_view bytes) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<std::uint8_t>(c);
    for (count += 8; count >= 6; count -= 6)
      text += alphabet[bits >> (count - 6) & 63];
  }
  if (count != 0)
    text += alphabet[bits << (6 - count) & 63];
  return text;
}

std::string compilerExplorerLink(const Bug &bug) {
  // The site adds -S.
  const std::string options = optArguments(bug);
  nlohmann::json panes = nlohmann::json::array();
  for (const auto &[release, id] : compilers)
    if (release == bug.release)
      panes.push_back({{"id", id}, {"options", options}});
  panes.push_back({{"id", trunk}, {"options", options}});
  const nlohmann::json state = {
      {"sessions",
       {{{"id", 1},
         {"language", "llvm"},
         {"source", corpus::printModule(optInput(bug), "f", bug.release)},
         {"compilers", std::move(panes)}}}}};
  return "https://godbolt.org/clientstate/" + base64Url(state.dump());
}

} // namespace reports
