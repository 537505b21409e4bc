// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a function in its space, and numbers of functions: 128 bits,
// since spaces with branches outgrow 64.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace corpus {

using Rank = unsigned __int128;

/// Decimal. Nothing for what is no number, or more than 128 bits.
std::optional<Rank> parseRank(std::string_view text);
std::string toString(Rank rank);

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014): a bijection whose
/// results look random.
constexpr std::uint64_t mixBits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}
/// What splitmix64 adds between two numbers.
inline constexpr std::uint64_t mixStep = 0x9e3779b97f4a7c15;

} // namespace corpus
