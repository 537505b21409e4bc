// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/external_ir.h"

#include "runner/byte_order.h"
#include "runner/llvm/crash.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/pipeline.h"
#include "runner/llvm/release.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include <fmt/format.h>

namespace runner {
namespace {

std::string nameOf(std::size_t index) {
  return fmt::format("{}{}", externalName, index);
}

ExternalIr::Written write(std::span<const corpus::Program *const> programs) {
  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  llvm::Module module("irsieve", context);
  Lowerer lowerer(context);
  lowerer.start(module);
  ExternalIr::Written written;
  for (const corpus::Program *program : programs) {
    if (lackOf(*program) || lowerer.conflicts(*program))
      break;
    lowerer.lower(*program, nameOf(written.functions++));
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream, /*ShouldPreserveUseListOrder=*/true);
  written.module.assign(bytes.begin(), bytes.end());
  return written;
}

/// Fills outputs[i] from the function of number firstIndex + i.
std::optional<std::string>
takeFunctions(llvm::Module &module, std::size_t firstIndex,
              std::span<const corpus::Program *const> sources,
              std::span<Output *const> outputs) {
  Finisher finisher;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    llvm::Function *function = module.getFunction(nameOf(firstIndex + i));
    if (function == nullptr || function->isDeclaration()) {
      outputs[i]->status = Output::Status::invalid;
      outputs[i]->detail = "the function is gone";
      continue;
    }
    const bool isLazy = function->isMaterializable();
    if (auto error = function->materialize())
      return llvm::toString(std::move(error));
    finisher.finish(*function, *sources[i], *outputs[i]);
    if (isLazy)
      function->deleteBody();
  }
  return std::nullopt;
}

/// Of text that a newer LLVM prints, where this one does not know all of it:
/// each function with what is around them all. What cannot be read is
/// unsupported.
std::optional<std::string>
readOneByOne(llvm::StringRef text, const std::string &problem,
             std::span<const corpus::Program *const> sources,
             std::span<Output *const> outputs, llvm::LLVMContext &context) {
  std::string rest;
  std::vector<llvm::StringRef> functions;
  while (!text.empty()) {
    const std::size_t end = text.take_front(7) == "define "
                                ? text.find("\n}\n")
                                : llvm::StringRef::npos;
    if (end != llvm::StringRef::npos) {
      functions.push_back(text.substr(0, end + 3));
      text = text.drop_front(end + 3);
      continue;
    }
    const auto [line, after] = text.split('\n');
    rest += line.str() + "\n";
    text = after;
  }
  if (functions.size() != sources.size())
    return problem;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    llvm::SMDiagnostic diagnostic;
    const std::string ir = rest + functions[i].str();
    if (const auto module =
            llvm::parseAssemblyString(ir, diagnostic, context)) {
      takeFunctions(*module, i, sources.subspan(i, 1), outputs.subspan(i, 1));
      continue;
    }
    outputs[i]->status = Output::Status::unsupported;
    outputs[i]->detail =
        fmt::format("LLVM {} cannot read it: {}", release::number,
                    diagnostic.getMessage().str());
    outputs[i]->text = functions[i].str();
  }
  return std::nullopt;
}

std::optional<std::string>
takeUnguarded(const std::string &ir,
              std::span<const corpus::Program *const> sources,
              std::span<Output *const> outputs, llvm::LLVMContext &context) {
  const llvm::MemoryBufferRef buffer(ir, "opt");
  const auto *bytes = reinterpret_cast<const unsigned char *>(ir.data());
  if (!llvm::isBitcode(bytes, bytes + ir.size())) {
    llvm::SMDiagnostic diagnostic;
    const auto module = llvm::parseAssembly(buffer, diagnostic, context);
    return module ? takeFunctions(*module, 0, sources, outputs)
                  : readOneByOne(ir, diagnostic.getMessage().str(), sources,
                                 outputs, context);
  }
  context.setDiscardValueNames(true);
  // One function at a time is a matter of memory, hence of time.
  auto module = llvm::getLazyBitcodeModule(buffer, context);
  if (!module)
    return llvm::toString(module.takeError());
  return takeFunctions(**module, 0, sources, outputs);
}

std::optional<std::string> read(const std::string &ir,
                                std::span<const corpus::Program *const> sources,
                                std::span<Output *const> outputs) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::optional<std::string> problem;
  if (auto what = runGuarded(
          [&] { problem = takeUnguarded(ir, sources, outputs, *context); })) {
    (void)context.release(); // broken by the crash
    return what;
  }
  return problem;
}

/// A triple alone decides where the opt's release takes the layout from it.
bool isBigEndianForOpt(const Pipeline &pipeline) {
  if (!pipeline.dataLayout.empty() || pipeline.triple.empty() ||
      !release::layoutFollowsTriple(pipeline.opt->release))
    return isBigEndian(pipeline.dataLayout);
  return !llvm::Triple(llvm::Triple::normalize(pipeline.triple))
              .isLittleEndian();
}

} // namespace

ExternalIr makeExternalIr(const Pipeline &pipeline) {
  ExternalIr ir;
  ir.release = release::number;
  ir.isBigEndian = isBigEndianForOpt(pipeline);
  ir.write = write;
  ir.read = read;
  auto made = Session::make({"instsimplify", "", "", {}});
  assert(made && "every release has it");
  const std::shared_ptr<Session> names = std::move(*made);
  ir.passName = [names](const std::string &className) {
    const auto name = names->callbacks().getPassNameForClassName(className);
    return name.empty() ? className : name.str();
  };
  return ir;
}

} // namespace runner
