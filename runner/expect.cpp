// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/expect.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace runner {

corpus::Result<std::set<std::string>> readExpected(const std::string &path) {
  using Json = nlohmann::json;
  std::ifstream file(path);
  if (!file)
    return corpus::Error{
        fmt::format("--expect {}: {}", path, std::strerror(errno))};
  Json list = Json::parse(file, nullptr, false);
  if (list.is_object() && list.contains("bugs")) {
    Json bugs = list.at("bugs");
    list = std::move(bugs);
  }
  std::set<std::string> ids;
  bool good = list.is_array();
  for (const Json &entry : good ? list : Json::array()) {
    const Json &id =
        entry.is_object() && entry.contains("id") ? entry.at("id") : entry;
    good = good && id.is_string();
    if (good)
      ids.insert(id.get<std::string>());
  }
  if (!good)
    return corpus::Error{fmt::format(
        "--expect {}: not a list of bugs; give the bugs.json of `irsieve "
        "report --format json`",
        path)};
  return ids;
}

} // namespace runner
