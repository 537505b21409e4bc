// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compact binary form of a Program, for the database, for the pipe between
// irsieve and its workers, and for hashing. Little-endian varints behind a
// format byte; equal Programs have equal encodings and only they do.
#pragma once

#include "corpus/program/program.h"
#include "corpus/program/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace corpus {

using Bytes = std::vector<std::uint8_t>;

/// Appends the encoding of `program` to `out`.
void encode(const Program &program, Bytes &out);
Bytes encode(const Program &program);
/// Refuses anything that encode() does not write or verify() rejects.
Result<Program> decode(std::span<const std::uint8_t> bytes);

/// 128 bits. Addition is modulo 2^128 and commutes, so that digests of parts
/// merge by adding.
struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  Digest &operator+=(const Digest &other) {
    low += other.low;
    high += other.high + (low < other.low ? 1 : 0);
    return *this;
  }
  friend bool operator==(const Digest &, const Digest &) = default;
};

/// For unordered containers.
struct DigestHash {
  std::size_t operator()(const Digest &digest) const { return digest.low; }
};

/// XXH3 of the bytes.
Digest digestOf(std::span<const std::uint8_t> bytes);
/// 32 hexadecimal digits, high word first.
std::string toString(const Digest &digest);
Result<Digest> parseDigest(std::string_view text);

/// XXH3 of the encoding. `scratch` avoids an allocation in hot loops.
std::uint64_t hash(const Program &program, Bytes &scratch);
std::uint64_t hash(const Program &program);

} // namespace corpus
