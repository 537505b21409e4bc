// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How everything above gets Programs out of .ll and .bc files. LLVM has the
// parser, and a hostile file may kill it, so the implementation (in runner)
// asks a worker process; main hands it to whoever needs one.
#pragma once

#include "corpus/program/program.h"
#include "corpus/program/result.h"

#include <string>
#include <variant>
#include <vector>

namespace corpus {

/// Valid IR that a Program cannot express, and what it was:
/// "float is not an integer type".
struct Unsupported {
  std::string reason;
};

struct ReadFunction {
  std::string name; ///< without the sigil
  std::variant<Program, Unsupported> body;
};

class ProgramReader {
public:
  virtual ~ProgramReader() = default;
  /// All functions with a body, in file order. Fails for a file that is
  /// missing, or is not IR, with LLVM's message and the file's name.
  virtual Result<std::vector<ReadFunction>> read(const std::string &path) = 0;
};

} // namespace corpus
