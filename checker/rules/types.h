// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer types of a rule (Alive paper, figure 3): type variables, what
// makes them equal, fixed or ordered, and all widths from 1 to 64 that satisfy
// that.
// Threads: a value type.
#pragma once

#include "corpus/program/type.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace checker::rules {

using TypeVariable = std::uint32_t;

/// The width of each class of a TypeSystem, in order of `classOf`.
using Typing = std::vector<std::uint8_t>;

class TypeSystem {
public:
  TypeVariable add();
  void unify(TypeVariable a, TypeVariable b);
  /// The variable is i<width>.
  void fix(TypeVariable variable, unsigned width);
  /// Literals need so many bits, unless the rule gives the type itself.
  void atLeast(TypeVariable variable, unsigned width);
  void less(TypeVariable narrow, TypeVariable wide);
  /// Instructions, inputs and symbolic constants have types of their own. Where
  /// only constant expressions have a type, one choice is enough, and that is
  /// the widest one, so that numbers of bits do not wrap.
  void anchor(TypeVariable variable);

  /// To be called once, when everything is known; then the rest may be called.
  void close();
  unsigned classes() const { return static_cast<unsigned>(classes_.size()); }
  unsigned classOf(TypeVariable variable) const { return classOf_[variable]; }
  /// The class may have several widths and matters for what is proved.
  bool isOpen(unsigned typeClass) const;
  /// The width that the rule itself gives.
  std::optional<unsigned> fixedWidth(unsigned typeClass) const;

  /// The narrowest width that its literals allow.
  unsigned minimum(unsigned typeClass) const {
    return classes_[typeClass].minimum;
  }

  /// Calls `visit` with each feasible typing, lexicographically, until that
  /// returns false. Open types are at most `width` wide.
  void forEach(const std::function<bool(const Typing &)> &visit,
               unsigned width = corpus::Type::maximumWidth) const;

private:
  struct Class {
    unsigned fixed = 0; ///< 0: not fixed
    unsigned minimum = 1;
    bool isAnchored = false;
    bool isContradictory = false; ///< fixed to two widths
  };
  TypeVariable find(TypeVariable variable) const;
  bool visitFrom(std::size_t position, unsigned width, Typing &typing,
                 const std::function<bool(const Typing &)> &visit) const;

  std::vector<TypeVariable> parent_;
  std::vector<Class> data_; ///< of representatives
  std::vector<std::pair<TypeVariable, TypeVariable>> less_;
  // After close().
  std::vector<Class> classes_;
  std::vector<unsigned> classOf_;
  std::vector<unsigned> order_; ///< anchored classes first
  std::vector<std::pair<unsigned, unsigned>> classLess_;
};

} // namespace checker::rules
