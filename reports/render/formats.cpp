// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/formats.h"

#include "reports/render/html.h"
#include "reports/render/json.h"
#include "reports/render/junit.h"
#include "reports/render/lit.h"
#include "reports/render/markdown.h"
#include "reports/render/sarif.h"

#include <array>
#include <nlohmann/json.hpp>

namespace reports {
namespace {

/// One file a bug, `folder/<id>.ll`.
template <typename Render>
std::vector<File> perBug(const Report &report, const std::string &folder,
                         Render render) {
  std::vector<File> files;
  for (const Bug &bug : report.bugs)
    if (std::string text = render(bug); !text.empty())
      files.push_back({folder + "/" + bug.id + ".ll", std::move(text)});
  return files;
}

std::vector<File> htmlFiles(const Report &report) {
  return {{"index.html", html(report)}};
}

std::vector<File> markdownFiles(const Report &report) {
  std::vector<File> files = {{"README.md", markdownIndex(report.bugs)}};
  for (const Bug &bug : report.bugs)
    files.push_back({markdownFile(bug), markdown(bug, !report.isUrgent())});
  return files;
}

std::vector<File> jsonFiles(const Report &report) {
  nlohmann::json list = nlohmann::json::array();
  for (const Bug &bug : report.bugs)
    list.push_back(toJson(bug));
  return {{"bugs.json", list.dump(2) + "\n"},
          {"matrix.json", toJson(report.matrix).dump(2) + "\n"}};
}

std::vector<File> sarifFiles(const Report &report) {
  return {{"bugs.sarif", sarif(report).dump(2) + "\n"}};
}

std::vector<File> junitFiles(const Report &report) {
  return {{"junit.xml", junit(report)}};
}

std::vector<File> litFiles(const Report &report) {
  std::vector<File> files = perBug(report, "lit", litTest);
  files.push_back({"lit/lit.cfg.py", litConfiguration()});
  return files;
}

std::vector<File> alive2Files(const Report &report) {
  return perBug(report, "alive2", alive2);
}

constexpr std::array<Format, 7> table = {{
    {"html", "index.html, everything in one page", htmlFiles},
    {"md", "README.md and a file for each bug, for an issue", markdownFiles},
    {"json", "bugs.json and matrix.json", jsonFiles},
    {"sarif", "bugs.sarif, SARIF 2.1.0", sarifFiles},
    {"junit", "junit.xml, a test case for each pipeline and semantics",
     junitFiles},
    {"lit", "lit/, a test for each bug that fails while it is there", litFiles},
    {"alive2", "alive2/, @src and @tgt for alive-tv", alive2Files},
}};

} // namespace

std::span<const Format> formats() { return table; }

} // namespace reports
