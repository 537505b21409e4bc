// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker of the tests in the place of a real one. Its only pass changes
// nothing, and fails on chosen functions in a way that no recovery in the
// process can help: IRSIEVE_FAULT=MODE:CHOICE, with the modes of `modes` below,
// `any` for one of them by the function's hash, or `spoil` and `garble`, which
// the process survives with its memory overwritten; and the choices `mul` (a
// function that multiplies) and `tenth` (one in ten).
#include "corpus/program/encode.h"
#include "runner/serve.h"
#include "runner/worker_channel.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace runner {
namespace {

void crash() { std::raise(SIGSEGV); }
void quit() { ::_exit(3); }
[[noreturn]] void hang() {
  for (;;)
    ::pause();
}
void garbage() {
  constexpr std::string_view text = "all is well\n";
  ::_exit(::write(workerSocket, text.data(), text.size()) < 0 ? 1 : 0);
}
[[noreturn]] void leak() {
  constexpr std::size_t step = std::size_t(256) << 20;
  for (;;) {
    void *memory = ::mmap(nullptr, step, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
      hang();
  }
}

struct Mode {
  std::string_view name;
  void (*fail)();
};
/// Those that `any` takes come first.
constexpr Mode modes[] = {{"crash", crash},
                          {"quit", quit},
                          {"garbage", garbage},
                          {"hang", hang},
                          {"leak", leak}};
constexpr std::size_t quickModes = 3;

class FaultyPass : public Optimizer {
public:
  void optimize(std::span<const corpus::Program> batch,
                std::span<const std::uint64_t> positions, Slot &slot,
                std::vector<Output> &outputs) override {
    outputs.assign(batch.size(), Output());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      slot.enter(positions[i], PassName("faulty"));
      if (isChosen(batch[i]))
        fail(batch[i]);
      outputs[i].program = batch[i];
      if (isChosen(batch[i]) && fault().starts_with("garble:"))
        overwrite(outputs[i].program);
      if (isChosen(batch[i]) && fault().starts_with("spoil:"))
        spoil(batch[i], outputs[i]);
    }
  }

private:
  static std::string_view fault() {
    const char *text = std::getenv("IRSIEVE_FAULT");
    return text == nullptr ? "" : text;
  }
  static std::uint64_t hashOf(const corpus::Program &program) {
    corpus::Bytes scratch;
    return corpus::hash(program, scratch);
  }
  static bool isChosen(const corpus::Program &program) {
    if (fault().ends_with(":tenth"))
      return hashOf(program) % 10 == 0;
    return fault().ends_with(":mul") &&
           std::any_of(program.instructions.begin(), program.instructions.end(),
                       [](const corpus::Instruction &instruction) {
                         return instruction.opcode == corpus::Opcode::mul;
                       });
  }
  /// Not a program any more.
  static void overwrite(corpus::Program &program) {
    program.operands.front().kind = corpus::Operand::Kind::instruction;
    program.operands.front().payload = program.instructions.size();
  }
  /// Writes where it must not, and then fails in a way that one recovers from.
  static void spoil(const corpus::Program &program, Output &output) {
    overwrite(const_cast<corpus::Program &>(program));
    output.status = Output::Status::crash;
    output.detail = "spoilt";
    output.pass = "faulty";
  }
  static void fail(const corpus::Program &program) {
    const std::string_view name = fault().substr(0, fault().find(':'));
    if (name == "any")
      modes[hashOf(program) / 10 % quickModes].fail();
    for (const Mode &mode : modes)
      if (mode.name == name)
        mode.fail();
  }
};

class FaultyBackend : public Backend {
public:
  BuildInfo build() const override { return {22, "22.0.0"}; }
  corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path, corpus::Reading) override {
    return corpus::Error{path + ": the tests' worker reads no files"};
  }
  corpus::Result<PipelineInfo> describe(const Pipeline &pipeline) override {
    return PipelineInfo{pipeline.passes, pipeline.passes};
  }
  std::unique_ptr<Optimizer> makeOptimizer(const Pipeline &, WatchPasses,
                                           std::chrono::milliseconds) override {
    return std::make_unique<FaultyPass>();
  }
  Trace trace(const corpus::Program &program, const Pipeline &) override {
    Trace trace;
    trace.end.program = program;
    return trace;
  }
  std::optional<std::string> verify(const corpus::Program &) override {
    return std::nullopt;
  }
};

} // namespace
} // namespace runner

int main(int argc, char **argv) {
  runner::FaultyBackend backend;
  return runner::serve(backend, argc, argv);
}
