// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/pairing.h"

#include <fmt/format.h>

namespace checker {

using corpus::ReadFunction;

namespace {

const ReadFunction *find(const std::vector<ReadFunction> &functions,
                         std::string_view name) {
  for (const ReadFunction &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

} // namespace

Pairing pairWithin(const std::vector<ReadFunction> &functions) {
  Pairing pairing;
  const auto partnerOf = [&](const ReadFunction &function,
                             std::string_view prefix,
                             std::string_view partnerPrefix) {
    return function.name.starts_with(prefix)
               ? find(functions, fmt::format("{}{}", partnerPrefix,
                                             function.name.substr(3)))
               : nullptr;
  };
  for (const ReadFunction &function : functions) {
    if (const ReadFunction *target = partnerOf(function, "src", "tgt"))
      pairing.pairs.push_back({function.name, &function, target});
    else if (partnerOf(function, "tgt", "src") == nullptr)
      pairing.alone.push_back(&function);
  }
  return pairing;
}

Pairing pairAcross(const std::vector<ReadFunction> &sources,
                   const std::vector<ReadFunction> &targets) {
  Pairing pairing;
  for (const ReadFunction &source : sources) {
    if (const ReadFunction *target = find(targets, source.name))
      pairing.pairs.push_back({source.name, &source, target});
    else
      pairing.alone.push_back(&source);
  }
  for (const ReadFunction &target : targets)
    if (find(sources, target.name) == nullptr)
      pairing.alone.push_back(&target);
  return pairing;
}

} // namespace checker
