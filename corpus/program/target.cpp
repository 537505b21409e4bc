// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/target.h"

#include <cassert>
#include <charconv>
#include <unordered_map>

namespace corpus {
namespace {

struct Row {
  std::string_view name;
  std::string_view types;
};

constexpr Row rows[] = {
#define TARGET_INTRINSIC(name, types, meaning) {name, types},
#include "corpus/program/target.def"
#undef TARGET_INTRINSIC
};

/// Takes a number off the front.
unsigned number(std::string_view &text) {
  unsigned value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  assert(error == std::errc() && "a type of target.def");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// `i8`, `v16i8`, `ptr`.
Type typeOf(std::string_view text) {
  if (text == "ptr")
    return Type::pointer();
  unsigned lanes = 0;
  if (text.front() == 'v') {
    text.remove_prefix(1);
    lanes = number(text);
  }
  text.remove_prefix(1);
  const Type lane = Type::integer(number(text));
  return lanes == 0 ? lane : Type::vector(lanes, lane);
}

TargetIntrinsic intrinsicOf(const Row &row) {
  TargetIntrinsic intrinsic;
  intrinsic.callee.name = row.name;
  Signature &signature = intrinsic.callee.signature;
  std::string_view rest = row.types;
  while (!rest.empty()) {
    std::string_view type = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), type.size() + 1));
    const bool isImmediate = type.back() == '!';
    if (isImmediate) {
      type.remove_suffix(1);
      intrinsic.immediates |= 1U << signature.parameters.size();
    }
    if (signature.returnType.isVoid())
      signature.returnType = typeOf(type);
    else
      signature.parameters.push_back({typeOf(type), {}});
  }
  return intrinsic;
}

} // namespace

std::span<const TargetIntrinsic> targetIntrinsics() {
  static const std::vector<TargetIntrinsic> list = [] {
    std::vector<TargetIntrinsic> result;
    for (const Row &row : rows)
      result.push_back(intrinsicOf(row));
    return result;
  }();
  return list;
}

const TargetIntrinsic *targetIntrinsic(std::string_view name) {
  if (!name.starts_with("llvm."))
    return nullptr;
  static const auto byName = [] {
    std::unordered_map<std::string_view, const TargetIntrinsic *> result;
    for (const TargetIntrinsic &intrinsic : targetIntrinsics())
      result.emplace(intrinsic.callee.name, &intrinsic);
    return result;
  }();
  const auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

} // namespace corpus
