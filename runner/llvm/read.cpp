// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/read.h"

#include "runner/llvm/crash.h"
#include "runner/llvm/lift.h"
#include "runner/llvm/release.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include <fmt/format.h>

namespace runner {
namespace {

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

std::string describe(const llvm::SMDiagnostic &diagnostic,
                     const std::string &path) {
  const std::string message = firstLine(diagnostic.getMessage().str());
  if (diagnostic.getLineNo() <= 0)
    return fmt::format("{}: error: {}", path, message);
  return fmt::format("{}:{}:{}: error: {}", path, diagnostic.getLineNo(),
                     diagnostic.getColumnNo() + 1, message);
}

corpus::Result<std::vector<corpus::ReadFunction>>
readUnguarded(const std::string &path, corpus::Reading reading,
              llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module =
      llvm::parseIRFile(path, diagnostic, context);
  if (!module)
    return corpus::Error{describe(diagnostic, path)};
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(*module, &stream)) {
    stream.flush();
    return corpus::Error{fmt::format("{}: error: LLVM's verifier: {}", path,
                                     firstLine(message))};
  }

  std::vector<corpus::ReadFunction> functions;
  Lifter lifter(reading);
  for (const llvm::Function &function : *module) {
    if (function.isDeclaration())
      continue;
    corpus::Program program;
    const std::string name = function.getName().str();
    if (auto reason = lifter.lift(function, program))
      functions.push_back({name, corpus::Unsupported{std::move(*reason)}});
    else
      functions.push_back({name, std::move(program), lifter.leftOut()});
  }
  return functions;
}

} // namespace

corpus::Result<std::vector<corpus::ReadFunction>>
readFile(const std::string &path, corpus::Reading reading) {
  auto context = std::make_unique<llvm::LLVMContext>();
  corpus::Result<std::vector<corpus::ReadFunction>> result(corpus::Error{});
  if (auto what = runGuarded(
          [&] { result = readUnguarded(path, reading, *context); })) {
    (void)context.release(); // broken by the crash
    return corpus::Error{
        fmt::format("{}: error: LLVM {} crashed on this file: {}", path,
                    release::number, *what)};
  }
  return result;
}

} // namespace runner
