// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/external_opt.h"

#include "corpus/program/encode.h"
#include "corpus/program/lines.h"
#include "corpus/program/print.h"
#include "runner/byte_order.h"
#include "runner/crash_text.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cxxabi.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace runner {
namespace {

using corpus::Error;
using corpus::Program;
using corpus::Result;
using Status = Output::Status;

/// Functions of a run after a failure, while its log says which one failed: a
/// run of so many costs about as much as the start of the program.
constexpr std::size_t watchedSize = 256;
/// Functions of the first run.
constexpr std::size_t firstSize = 2048;
/// A start, tens of milliseconds, is lost in the noise of so long a run.
constexpr std::chrono::duration<double> usefulRun(0.25);
/// What a function may take in a batch beside the limit of the slowest one. A
/// run that takes longer is watched the next time, no more.
constexpr std::chrono::milliseconds allowance(2);

std::vector<std::string> commandOf(const Pipeline &pipeline,
                                   const std::string &asRun,
                                   const std::vector<std::string> &more) {
  // What is invalid, the reader finds, function by function.
  std::vector<std::string> command = {pipeline.opt->path, "-disable-verify"};
  for (const auto &arguments : {optArguments(pipeline, asRun), more})
    command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

/// A symbolizer takes seconds; names of dynamic symbols come without it.
constexpr const char *withoutSymbolizer = "LLVM_DISABLE_SYMBOLIZATION=1";
/// Worth a fourth of InstCombine's runs: pages of 2 MiB, and nothing small is
/// merged with its neighbours. Who has another malloc does not look at it.
constexpr const char *quickMalloc =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:"
    "glibc.malloc.mxfast=0:glibc.malloc.tcache_count=2000";

/// The LLVM function that a line of a stack dump names, or "".
std::string frameOf(const std::string &line) {
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::string name;
  if (const std::size_t mangled = line.find("(_Z");
      mangled != std::string::npos) {
    const auto begin = line.begin() + static_cast<long>(mangled) + 1;
    const std::string symbol(begin,
                             std::find_if_not(begin, line.end(), isWord));
    int status = 0;
    char *text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    if (text != nullptr)
      name = text;
    std::free(text);
  } else if (line.find_first_not_of(' ') != std::string::npos &&
             line[line.find_first_not_of(' ')] == '#') {
    const std::size_t address = line.find(" 0x");
    const std::size_t end = line.find(' ', address + 1);
    if (address != std::string::npos && end != std::string::npos)
      name = line.substr(end + 1);
  }
  name = frameName(name);
  const bool isHandler = name.find("llvm::sys::") != std::string::npos;
  return isHandler || name.find("llvm::") == std::string::npos ? "" : name;
}

/// Between `from` and `to`, in the first line that has both.
std::optional<std::string> between(const std::vector<std::string> &lines,
                                   std::string_view from, std::string_view to) {
  for (const std::string &line : lines) {
    std::size_t begin = line.find(from);
    if (begin == std::string::npos)
      continue;
    begin += from.size();
    const std::size_t end = to.empty() ? line.size() : line.find(to, begin);
    if (end != std::string::npos)
      return line.substr(begin, end - begin);
  }
  return std::nullopt;
}

/// Requires that `end` is not good.
Output failureOf(const corpus::ProcessEnd &end) {
  Output failure;
  failure.status =
      end.how == corpus::ProcessEnd::How::hung ? Status::hang : Status::crash;
  if (end.how == corpus::ProcessEnd::How::hung)
    return failure;
  const std::vector<std::string> lines = corpus::linesOf(end.err);
  std::vector<std::string> frames;
  frames.reserve(lines.size());
  for (const std::string &line : lines)
    frames.push_back(frameOf(line));
  if (end.how == corpus::ProcessEnd::How::runaway)
    failure.detail = end.what;
  else if (const auto fatal = between(lines, "LLVM ERROR: ", ""))
    failure.detail = "fatal error: " + withoutNumbers(*fatal);
  else if (const auto assertion = between(lines, "Assertion `", "' failed"))
    failure.detail = "assertion failed: " + withoutNumbers(*assertion);
  else if (end.how == corpus::ProcessEnd::How::signalled)
    failure.detail = end.what + framesText(frames);
  else
    failure.detail = fmt::format(
        "{}: {}", end.what,
        withoutNumbers(between(lines, "error: ", "")
                           .value_or(lines.empty() ? "" : lines.front())));
  return failure;
}

/// Functions as the text of one module.
class ModuleText {
public:
  explicit ModuleText(unsigned release) : release_(release) {}

  /// False, and nothing was added, where a callee of `program` means something
  /// else in the module already.
  bool add(const Program &program) {
    const auto lines = corpus::printDeclarations(program, release_);
    const auto nameOf = [](const std::string &line) {
      const std::size_t at = line.find('@');
      return line.substr(at, line.find('(', at) - at);
    };
    for (const std::string &line : lines)
      if (const auto known = lineOf_.find(nameOf(line));
          known != lineOf_.end() && known->second != line)
        return false;
    for (const std::string &line : lines)
      if (lineOf_.emplace(nameOf(line), line).second)
        declarations_ += line + "\n";
    definitions_ += corpus::printFunction(
        program, fmt::format("{}{}", externalName, size_++), release_);
    return true;
  }
  std::string text() const { return declarations_ + definitions_; }

private:
  unsigned release_;
  std::size_t size_ = 0;
  std::string declarations_;
  std::map<std::string, std::string> lineOf_;
  std::string definitions_;
};

/// What the pass manager's log says was running.
struct Running {
  std::string passClass;
  std::optional<std::size_t> function; ///< i of externalName<i>
};

Running lastRunning(const std::string &log) {
  constexpr std::string_view mark = "Running pass: ";
  Running running;
  for (const std::string &line : corpus::linesOf(log)) {
    if (!line.starts_with(mark))
      continue;
    const std::size_t on = line.find(" on ", mark.size());
    if (on == std::string::npos)
      continue;
    running.passClass = line.substr(mark.size(), on - mark.size());
    // "on irsieve_f7 (2 instructions)", "on (irsieve_f7)", "on loop %b1 in
    // function irsieve_f7".
    const std::size_t name = line.find(externalName, on);
    std::size_t number = 0;
    if (name != std::string::npos &&
        std::from_chars(line.data() + name + externalName.size(),
                        line.data() + line.size(), number)
                .ec == std::errc())
      running.function = number;
  }
  return running;
}

Result<corpus::Digest> digestOfFile(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file < 0 || ::fstat(file, &status) != 0 || status.st_size == 0)
    return Error{fmt::format("{}: cannot be read", path)};
  const auto size = static_cast<std::size_t>(status.st_size);
  void *memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (memory == MAP_FAILED)
    return Error{fmt::format("{}: cannot be read", path)};
  const corpus::Digest digest =
      corpus::digestOf({static_cast<const std::uint8_t *>(memory), size});
  ::munmap(memory, size);
  return digest;
}

/// The program's own path: a relative one must mean the same in the worker.
Result<std::string> findProgram(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path.find('/') != std::string::npos)
    return fs::absolute(path, error).string();
  const char *list = std::getenv("PATH");
  std::istringstream folders(list == nullptr ? "" : list);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder) / path;
        ::access(file.c_str(), X_OK) == 0)
      return file.string();
  return Error{fmt::format("{}: no opt on PATH and no worker that `irsieve "
                           "doctor` lists; give the path of an opt",
                           path)};
}

/// How opt spells out the passes, or "".
std::string expandedBy(const Pipeline &pipeline, const std::string &passes) {
  const corpus::ProcessEnd end = corpus::runProcess(
      commandOf(pipeline, passes,
                {"-print-pipeline-passes", "-disable-output", "-"}),
      "", {.environment = {withoutSymbolizer}});
  const auto lines = corpus::linesOf(end.out);
  return end.isGood() && !lines.empty() ? lines.front() : "";
}

/// The same passes, and of a chain of function passes the analyses of each
/// function are dropped behind it: those of a whole module fill the caches.
std::string withoutOldAnalyses(const Pipeline &pipeline,
                               const std::string &asRun) {
  const std::string_view usual = "function(";
  const std::string_view eager = "function<eager-inv>(";
  const std::string passes = fmt::format("{}{})", eager, asRun);
  const std::string expanded = expandedBy(pipeline, passes);
  if (!expanded.starts_with(eager))
    return asRun; // since 14, and function passes alone
  return expandedBy(pipeline, asRun) ==
                 fmt::format("{}{}", usual, expanded.substr(eager.size()))
             ? passes
             : asRun;
}

} // namespace

std::vector<std::string> optArguments(const Pipeline &pipeline,
                                      const std::string &asRun) {
  std::vector<std::string> arguments = {"-passes=" + asRun};
  if (!pipeline.triple.empty())
    arguments.push_back("-mtriple=" + pipeline.triple);
  if (!pipeline.dataLayout.empty())
    arguments.push_back("-data-layout=" + pipeline.dataLayout);
  arguments.insert(arguments.end(), pipeline.llvmArgs.begin(),
                   pipeline.llvmArgs.end());
  return arguments;
}

Result<ExternalOpt> identifyOpt(const std::string &path) {
  const auto program = findProgram(path);
  if (!program)
    return program.error();
  ExternalOpt opt;
  opt.path = *program;
  const corpus::ProcessEnd end =
      corpus::runProcess({opt.path, "--version"}, "", {});
  const auto version = between(corpus::linesOf(end.out), "LLVM version ", "");
  if (!end.isGood() || !version)
    return Error{fmt::format(
        "--opt {}: `{} --version` does not say an LLVM version ({})", path,
        opt.path, end.isGood() ? "no such line" : end.what)};
  opt.version = version->substr(0, version->find_first_of(" \t\r"));
  std::from_chars(opt.version.data(), opt.version.data() + opt.version.size(),
                  opt.release);

  auto hash = hashOfOptimizer(opt.path);
  if (!hash)
    return hash.error();
  opt.hash = std::move(*hash);
  return opt;
}

std::string libraryOf(const std::string &program) {
  // By `env`: the loader is to tell of the program, not of what starts it.
  const corpus::ProcessEnd loaded = corpus::runProcess(
      {"env", "LD_TRACE_LOADED_OBJECTS=1", program, "--version"}, "", {});
  for (const std::string &line : corpus::linesOf(loaded.out))
    if (auto library = between({line}, "=> ", " (");
        library && library->find("libLLVM") != std::string::npos)
      return *library;
  return "";
}

Result<std::string> hashOfOptimizer(const std::string &program) {
  // The optimizer may be in a library beside it.
  std::set<std::string> files = {program};
  if (std::string library = libraryOf(program); !library.empty())
    files.insert(std::move(library));
  corpus::Digest sum;
  for (const std::string &file : files) {
    const auto digest = digestOfFile(file);
    if (!digest)
      return digest.error();
    sum += *digest;
  }
  return corpus::toString(sum);
}

Result<PipelineInfo> describeExternal(const Pipeline &pipeline,
                                      const std::string &asRun) {
  const corpus::ProcessEnd plain =
      corpus::runProcess(commandOf(pipeline, asRun, {"-disable-output", "-"}),
                         "", {.environment = {withoutSymbolizer}});
  if (!plain.isGood()) {
    const auto lines = corpus::linesOf(plain.err);
    return Error{fmt::format("{}: {}", pipeline.opt->path,
                             lines.empty() ? plain.what : lines.front())};
  }
  // Since 14; before, nothing.
  return PipelineInfo{asRun, expandedBy(pipeline, asRun)};
}

ExternalOptimizer::ExternalOptimizer(Pipeline pipeline, std::string asRun,
                                     std::chrono::milliseconds functionLimit,
                                     ExternalIr ir)
    : pipeline_(std::move(pipeline)), asRun_(std::move(asRun)),
      functionLimit_(functionLimit), ir_(std::move(ir)),
      takesBitcode_(pipeline_.opt->release >= ir_.release),
      givesBitcode_(pipeline_.opt->release <= ir_.release), limit_(firstSize) {}

void ExternalOptimizer::optimize(std::span<const Program> batch,
                                 std::span<const std::uint64_t> positions,
                                 Slot &slot, std::vector<Output> &outputs) {
  batch_ = batch;
  positions_ = positions;
  slot_ = &slot;
  outputs_ = &outputs;
  outputs.resize(batch.size());
  pending_.clear();
  for (std::size_t i = batch.size(); i-- > 0;)
    if (auto problem = otherByteOrder(batch[i], ir_.isBigEndian)) {
      outputs[i] = {};
      outputs[i].status = Output::Status::unsupported;
      outputs[i].detail = std::move(*problem);
    } else {
      pending_.push_back(i);
    }
  if (batch.size() >= firstSize && !std::exchange(isLong_, true))
    asRun_ = withoutOldAnalyses(pipeline_, asRun_);

  while (!pending_.empty()) {
    const bool watched = limit_ <= watchedSize;
    const auto started = std::chrono::steady_clock::now();
    const Module module = nextModule();
    const std::size_t size = module.functions.size();
    const auto failure = tryModule(module, watched);
    if (!failure) {
      pending_.resize(pending_.size() - size);
      adjustLimit(size, std::chrono::steady_clock::now() - started);
    } else if (!watched) {
      limit_ = watchedSize;
    } else if (size == 1) {
      fail(module.functions.front(), *failure);
    } else {
      // By name where the log says whose fault it is, and it is.
      const auto culprit = culprit_;
      std::optional<Output> shown;
      if (culprit) {
        const std::pair key(failure->pass, failure->detail);
        const auto known = confirmed_.find(key);
        if (known != confirmed_.end())
          shown = known->second;
        else if ((shown = tryModule(makeModule({*culprit}), true)) &&
                 shown->status == failure->status && shown->pass == key.first &&
                 failure->detail.find(" in ") != std::string::npos)
          confirmed_.emplace(key, *shown);
      }
      if (shown)
        fail(*culprit, *shown);
      else
        limit_ = std::max(size / 2, std::size_t(1));
    }
  }
  slot.leave();
}

/// After a good run of so many functions.
void ExternalOptimizer::adjustLimit(std::size_t size,
                                    std::chrono::duration<double> elapsed) {
  if (limit_ < firstSize)
    limit_ *= 2;
  else if (size >= limit_)
    limit_ = std::clamp(static_cast<std::size_t>(static_cast<double>(size) *
                                                 (usefulRun / elapsed)),
                        std::max(limit_ / 2, firstSize),
                        std::min(limit_ * 2, batchSize()));
}

void ExternalOptimizer::fail(std::size_t index, const Output &failure) {
  (*outputs_)[index] = failure;
  pending_.erase(std::find(pending_.begin(), pending_.end(), index));
}

ExternalOptimizer::Module ExternalOptimizer::nextModule() const {
  const std::size_t size = std::min(limit_, pending_.size());
  return makeModule({pending_.rbegin(),
                     pending_.rbegin() + static_cast<std::ptrdiff_t>(size)});
}

/// Of as many of the first as fit into one module.
ExternalOptimizer::Module
ExternalOptimizer::makeModule(Indices functions) const {
  if (takesBitcode_) {
    std::vector<const Program *> programs;
    for (const std::size_t index : functions)
      programs.push_back(&batch_[index]);
    ExternalIr::Written written = ir_.write(programs);
    if (written.functions != 0) {
      functions.resize(written.functions);
      return {std::move(functions), std::move(written.module),
              /*isText=*/false};
    }
  }
  ModuleText text(pipeline_.opt->release);
  functions.erase(std::find_if_not(functions.begin(), functions.end(),
                                   [&](std::size_t index) {
                                     return text.add(batch_[index]);
                                   }),
                  functions.end());
  assert(!functions.empty() && "one alone always fits");
  return {std::move(functions), text.text(), /*isText=*/true};
}

corpus::ProcessEnd ExternalOptimizer::run(const Module &module, bool watched,
                                          bool symbols) {
  slot_->enter(positions_[module.functions.front()], PassName("opt"));
  corpus::ProcessOptions options;
  options.timeLimit =
      watched ? functionLimit_
              : functionLimit_ +
                    allowance * static_cast<long>(module.functions.size());
  options.stderrIsPulse = watched;
  options.environment = {quickMalloc};
  if (!symbols)
    options.environment.emplace_back(withoutSymbolizer);
  // The parent sees that we are still here; the limits are ours to watch.
  options.whileWaiting = [this] { slot_->heartbeat.fetch_add(1); };
  std::vector<std::string> more = {givesBitcode_ ? "-preserve-bc-uselistorder"
                                                 : "-S"};
  // Text is not read without its names.
  if (!module.isText)
    more.emplace_back("-discard-value-names");
  if (watched)
    more.emplace_back("-debug-pass-manager");
  more.emplace_back("-");
  return corpus::runProcess(commandOf(pipeline_, asRun_, more), module.ir,
                            options);
}

std::optional<Output> ExternalOptimizer::tryModule(const Module &module,
                                                   bool watched) {
  const bool alone = module.functions.size() == 1;
  corpus::ProcessEnd end = run(module, watched, false);
  if (end.isGood()) {
    std::vector<const Program *> sources;
    std::vector<Output *> outputs;
    for (const std::size_t index : module.functions) {
      sources.push_back(&batch_[index]);
      outputs.push_back(&(*outputs_)[index]);
      *outputs.back() = Output();
    }
    auto problem = ir_.read(end.out, sources, outputs);
    // A fork may write bitcode of its own.
    if (problem && alone && givesBitcode_) {
      givesBitcode_ = false;
      end = run(module, watched, false);
      if (end.isGood() && !ir_.read(end.out, sources, outputs))
        problem.reset();
      else
        givesBitcode_ = true;
    }
    culprit_.reset();
    if (!problem)
      return std::nullopt;
    Output garbage;
    garbage.status = Status::invalid;
    garbage.detail = "not LLVM IR: " + withoutNumbers(*problem);
    garbage.text = end.out.substr(0, 2000);
    return garbage;
  }
  Output failure = failureOf(end);
  // A program that does not export its symbols.
  if (alone && end.how == corpus::ProcessEnd::How::signalled &&
      failure.detail == end.what)
    failure = failureOf(run(module, watched, true));
  const Running running = lastRunning(end.err);
  failure.pass =
      running.passClass.empty() ? "" : ir_.passName(running.passClass);
  culprit_.reset();
  if (running.function && *running.function < module.functions.size())
    culprit_ = module.functions[*running.function];
  return failure;
}

Trace traceExternal(const Program &program, const Pipeline &pipeline,
                    const std::string &asRun, const ExternalIr &ir) {
  Trace trace;
  Slot slot;
  const std::uint64_t position = 0;
  std::vector<Output> outputs;
  ExternalOptimizer(pipeline, asRun, defaultFunctionLimit, ir)
      .optimize({&program, 1}, {&position, 1}, slot, outputs);
  trace.end = std::move(outputs.front());
  if (otherByteOrder(program, ir.isBigEndian))
    return trace;

  ModuleText module(pipeline.opt->release);
  [[maybe_unused]] const bool fits = module.add(program);
  assert(fits && "one alone always does");
  const corpus::ProcessEnd end = corpus::runProcess(
      commandOf(pipeline, asRun,
                {"-S", "-print-changed=quiet", "-print-module-scope", "-"}),
      module.text(),
      {.timeLimit = defaultFunctionLimit, .environment = {withoutSymbolizer}});
  // "*** IR Dump After EarlyCSEPass on g ***", and a module after each.
  constexpr std::string_view mark = "*** IR Dump After ";
  const Program *source = &program;
  for (std::size_t begin = end.err.find(mark); begin != std::string::npos;) {
    const std::size_t headEnd =
        std::min(end.err.find('\n', begin), end.err.size() - 1);
    const std::string head =
        end.err.substr(begin + mark.size(), headEnd - begin - mark.size());
    begin = end.err.find(mark, headEnd);
    Step step;
    step.pass = ir.passName(head.substr(0, head.find(" on ")));
    step.changed = true;
    step.text = end.err.substr(
        headEnd + 1, begin == std::string::npos ? begin : begin - headEnd - 1);
    Output output;
    Output *const slots[] = {&output};
    if (auto problem = ir.read(step.text, {&source, 1}, slots))
      step.reason = std::move(*problem);
    else if (output.status == Status::unsupported)
      step.reason = output.detail;
    else if (output.status == Status::ok)
      step.after = output.program;
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

} // namespace runner
