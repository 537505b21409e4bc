// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/markup.h"

namespace reports {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default: {
      const bool isControl = static_cast<unsigned char>(c) < 0x20;
      result += isControl && c != '\n' && c != '\t' ? ' ' : c;
    }
    }
  return result;
}

} // namespace reports
