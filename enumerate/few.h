// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of a few elements that needs no memory of its own.
// Threads: as a std::array.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace enumerate {

template <typename T, std::size_t most> class Few {
public:
  void add(const T &element) {
    assert(size_ < most);
    elements_[size_++] = element;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *begin() { return elements_.data(); }
  T *end() { return elements_.data() + size_; }
  const T *begin() const { return elements_.data(); }
  const T *end() const { return elements_.data() + size_; }
  T &operator[](std::size_t i) { return elements_[i]; }
  const T &operator[](std::size_t i) const { return elements_[i]; }

private:
  std::array<T, most> elements_{};
  std::uint8_t size_ = 0;
};

} // namespace enumerate
