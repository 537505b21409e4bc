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
  /// What Reading::toRun left out: "metadata !tbaa", each once.
  std::vector<std::string> leftOut = {};
};

/// What a function is read for.
enum class Reading : std::uint8_t {
  exactly, ///< what it means: what a Program cannot hold is unsupported
  /// To be sent through an optimizer, which sees the Program alone. So what
  /// only promises more may be left out, what is called is a function of
  /// another module, and the data layout is the campaign's.
  toRun,
};

class ProgramReader {
public:
  virtual ~ProgramReader() = default;
  /// All functions with a body, in file order. Fails for a file that is
  /// missing, or is not IR, with LLVM's message and the file's name.
  virtual Result<std::vector<ReadFunction>> read(const std::string &path,
                                                 Reading reading) = 0;
};

} // namespace corpus
