// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or a message about bad input. Messages are one line, without a
// trailing newline, and say what to do next. A bug of irsieve itself is an
// assertion, never a Result.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace corpus {

struct Error {
  std::string message;
};

template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  /// Requires success.
  T &operator*() { return *pointer(); }
  const T &operator*() const { return *pointer(); }
  T *operator->() { return pointer(); }
  const T *operator->() const { return pointer(); }
  /// Requires failure.
  const Error &error() const {
    assert(!*this && "error() of a success");
    return *std::get_if<1>(&state_);
  }

private:
  T *pointer() {
    assert(*this && "value of a failure");
    return std::get_if<0>(&state_);
  }
  const T *pointer() const {
    assert(*this && "value of a failure");
    return std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

} // namespace corpus
