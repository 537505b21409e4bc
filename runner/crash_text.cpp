// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/crash_text.h"

#include <cctype>

namespace runner {

std::string withoutNumbers(std::string_view message) {
  std::string text;
  for (const char c : message) {
    if (std::isdigit(static_cast<unsigned char>(c))) {
      if (text.empty() || text.back() != 'N')
        text.push_back('N');
    } else {
      text.push_back(c == '\n' ? ' ' : c);
    }
  }
  return text;
}

std::string frameName(std::string_view demangled) {
  return std::string(demangled.substr(0, demangled.find_first_of("(<")));
}

std::string framesText(std::span<const std::string> names) {
  constexpr unsigned wanted = 3;
  std::string text;
  unsigned count = 0;
  for (const std::string &name : names)
    if (!name.empty() && count < wanted)
      text += (count++ == 0 ? " in " : " < ") + name;
  return text;
}

} // namespace runner
