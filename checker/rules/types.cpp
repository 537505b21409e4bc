// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/types.h"

#include <algorithm>

namespace checker::rules {

TypeVariable TypeSystem::add() {
  parent_.push_back(static_cast<TypeVariable>(parent_.size()));
  data_.emplace_back();
  return parent_.back();
}

TypeVariable TypeSystem::find(TypeVariable variable) const {
  while (parent_[variable] != variable)
    variable = parent_[variable];
  return variable;
}

void TypeSystem::unify(TypeVariable a, TypeVariable b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  Class &kept = data_[a];
  const Class &gone = data_[b];
  kept.isContradictory |=
      gone.isContradictory ||
      (kept.fixed != 0 && gone.fixed != 0 && kept.fixed != gone.fixed);
  kept.fixed = std::max(kept.fixed, gone.fixed);
  kept.minimum = std::max(kept.minimum, gone.minimum);
  kept.isAnchored |= gone.isAnchored;
  parent_[b] = a;
}

void TypeSystem::fix(TypeVariable variable, unsigned width) {
  const TypeVariable other = add();
  data_[other].fixed = width;
  unify(variable, other);
}

void TypeSystem::atLeast(TypeVariable variable, unsigned width) {
  Class &data = data_[find(variable)];
  data.minimum = std::max(data.minimum, width);
}

void TypeSystem::less(TypeVariable narrow, TypeVariable wide) {
  less_.emplace_back(narrow, wide);
}

void TypeSystem::anchor(TypeVariable variable) {
  data_[find(variable)].isAnchored = true;
}

void TypeSystem::close() {
  classes_.clear();
  classOf_.assign(parent_.size(), 0);
  std::vector<unsigned> number(parent_.size(), ~0U);
  for (TypeVariable v = 0; v < parent_.size(); ++v) {
    const TypeVariable root = find(v);
    if (number[root] == ~0U) {
      number[root] = static_cast<unsigned>(classes_.size());
      classes_.push_back(data_[root]);
    }
    classOf_[v] = number[root];
  }
  classLess_.clear();
  for (const auto &[narrow, wide] : less_)
    classLess_.emplace_back(classOf_[narrow], classOf_[wide]);
  order_.clear();
  for (const bool anchored : {true, false})
    for (unsigned c = 0; c < classes_.size(); ++c)
      if (classes_[c].isAnchored == anchored)
        order_.push_back(c);
}

bool TypeSystem::isOpen(unsigned typeClass) const {
  return classes_[typeClass].fixed == 0 && classes_[typeClass].isAnchored;
}

std::optional<unsigned> TypeSystem::fixedWidth(unsigned typeClass) const {
  const unsigned width = classes_[typeClass].fixed;
  return width == 0 ? std::nullopt : std::optional(width);
}

void TypeSystem::forEach(const std::function<bool(const Typing &)> &visit,
                         unsigned width) const {
  for (const Class &data : classes_)
    if (data.isContradictory)
      return;
  Typing typing(classes_.size(), 0);
  visitFrom(0, width, typing, visit);
}

/// False: `visit` said to stop. A width of 0 is one that is not chosen yet.
bool TypeSystem::visitFrom(
    std::size_t position, unsigned width, Typing &typing,
    const std::function<bool(const Typing &)> &visit) const {
  if (position == order_.size())
    return visit(typing);
  const unsigned c = order_[position];
  const Class &data = classes_[c];
  unsigned low = data.fixed != 0 ? data.fixed : data.minimum;
  unsigned high = data.fixed != 0   ? data.fixed
                  : data.isAnchored ? width
                                    : corpus::Type::maximumWidth;
  for (const auto &[narrow, wide] : classLess_) {
    if (wide == c && typing[narrow] != 0)
      low = std::max(low, typing[narrow] + 1U);
    if (narrow == c && typing[wide] != 0)
      high = std::min(high, typing[wide] - 1U);
    if (narrow == c && wide == c)
      return true;
  }
  bool goesOn = true;
  if (data.isAnchored || data.fixed != 0) {
    for (unsigned w = low; w <= high && goesOn; ++w) {
      typing[c] = static_cast<std::uint8_t>(w);
      goesOn = visitFrom(position + 1, width, typing, visit);
    }
  } else {
    // The widest for which the rest has widths.
    bool found = false;
    for (unsigned w = high; w >= low && w != 0 && !found; --w) {
      typing[c] = static_cast<std::uint8_t>(w);
      visitFrom(position + 1, width, typing, [&](const Typing &rest) {
        found = true;
        goesOn = visit(rest);
        return false;
      });
    }
  }
  typing[c] = 0;
  return goesOn;
}

} // namespace checker::rules
