// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/byte_order.h"

#include <algorithm>

namespace runner {

std::optional<std::string> otherByteOrder(const corpus::Program &program,
                                          bool isBigEndian) {
  if (program.bigEndian != isBigEndian && hasByteOrder(program))
    return "memory of another byte order than the data layout's";
  return std::nullopt;
}

bool isBigEndian(std::string_view dataLayout) {
  bool isBig = false;
  while (!dataLayout.empty()) {
    const std::size_t end = std::min(dataLayout.find('-'), dataLayout.size());
    const std::string_view part = dataLayout.substr(0, end);
    isBig = part == "E" || (isBig && part != "e");
    dataLayout.remove_prefix(std::min(end + 1, dataLayout.size()));
  }
  return isBig;
}

} // namespace runner
