// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs use that an LLVM release does not have yet, by name.
#pragma once

#include "corpus/program/attribute.h"
#include "corpus/program/opcode.h"
#include "corpus/program/type.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enumerate {

/// The LLVM releases that irsieve knows.
inline constexpr auto knownReleases = std::to_array<unsigned>({
#define RELEASE(number) number,
#include "enumerate/releases.def"
#undef RELEASE
});

struct SpaceSpec;

class Lack {
public:
  explicit Lack(unsigned release) : release_(release) {}

  void note(corpus::Opcode opcode, corpus::Flags flags);
  void note(const corpus::Attributes &attributes);
  /// "LLVM 14 has no `samesign`, `llvm.scmp`; ADVICE", or nothing.
  std::optional<std::string> message(std::string_view advice) const;

private:
  void add(std::string name);

  unsigned release_;
  std::vector<std::string> names_; ///< in order of first sight
};

/// What that release lacks of all that functions of the space may have, without
/// counting them; nothing where it takes them.
std::optional<std::string> lackOf(const SpaceSpec &spec, unsigned release);
/// Requires what parseSpace() takes.
std::optional<std::string> lackOf(std::string_view spec, unsigned release);

} // namespace enumerate
