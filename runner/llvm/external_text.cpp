// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/external_text.h"

#include "runner/llvm/crash.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/pipeline.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <fmt/format.h>

namespace runner {
namespace {

std::optional<std::string>
readUnguarded(const std::string &text,
              std::span<const corpus::Program *const> sources,
              std::span<Output *const> outputs, llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text, diagnostic, context);
  if (!module)
    return diagnostic.getMessage().str();
  Finisher finisher;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const llvm::Function *function =
        module->getFunction(fmt::format("{}{}", externalName, i));
    if (function && !function->isDeclaration()) {
      finisher.finish(*function, *sources[i], *outputs[i]);
      continue;
    }
    outputs[i]->status = Output::Status::invalid;
    outputs[i]->detail = "the function is gone";
  }
  return std::nullopt;
}

} // namespace

ExternalText makeExternalText() {
  ExternalText text;
  text.read = [](const std::string &ir,
                 std::span<const corpus::Program *const> sources,
                 std::span<Output *const> outputs) {
    auto context = std::make_unique<llvm::LLVMContext>();
    std::optional<std::string> problem;
    if (auto what = runGuarded(
            [&] { problem = readUnguarded(ir, sources, outputs, *context); })) {
      (void)context.release(); // broken by the crash
      return what;
    }
    return problem;
  };
  auto made = Session::make({"instsimplify", "", "", {}});
  assert(made && "every release has it");
  const std::shared_ptr<Session> names = std::move(*made);
  text.passName = [names](const std::string &className) {
    const auto name = names->callbacks().getPassNameForClassName(className);
    return name.empty() ? className : name.str();
  };
  return text;
}

} // namespace runner
