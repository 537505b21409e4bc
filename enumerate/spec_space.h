// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What spaces have in common that are generated from a spec, however they rank
// their programs.
// Threads: as any Space.
#pragma once

#include "enumerate/lack.h"
#include "enumerate/space.h"
#include "enumerate/spec.h"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace enumerate {

class SpecSpace : public Space {
public:
  explicit SpecSpace(SpaceSpec spec) : spec_(std::move(spec)) {
    SpaceSpec ranked = spec_;
    ranked.symmetry.reset();
    rankedText_ = toString(ranked);
  }

  std::string spec() const override { return toString(spec_); }
  std::optional<Rank> rank(const corpus::Program &program) const override {
    return find(program, nullptr);
  }
  std::string whyNotMember(const corpus::Program &program) const override {
    std::string why;
    find(program, &why);
    return why;
  }
  std::string nameOf(Rank rank) const override {
    return fmt::format("{}#{}", rankedText_, rank);
  }
  std::optional<std::string> lackIn(unsigned release) const override {
    return lackOf(spec_, release);
  }

protected:
  const SpaceSpec &parsed() const { return spec_; }

private:
  /// The lowest rank; where there is none and `why` is given, it says why.
  virtual std::optional<Rank> find(const corpus::Program &program,
                                   std::string *why) const = 0;

  SpaceSpec spec_;
  std::string rankedText_; ///< the spec without what ranks do not depend on
};

} // namespace enumerate
