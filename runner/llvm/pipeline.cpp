// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/pipeline.h"

#include "runner/byte_order.h"
#include "runner/llvm/crash.h"
#include "runner/llvm/lower.h"
#include "runner/llvm/release.h"
#include "runner/pass_names.h"

#include <llvm/ADT/Hashing.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace runner {
namespace {

/// What a pass without options means here. InstCombine named in -passes= ends
/// the process since 18 when one iteration is not enough; inside default<...>
/// it does not.
struct DefaultOptions {
  std::string_view pass;
  std::string_view options;
  unsigned since;
};
constexpr DefaultOptions defaultOptions[] = {
    {"instcombine", "<no-verify-fixpoint>", 18},
};

struct Refusal {
  std::string_view prefix; ///< of the pass name
  bool whole;              ///< the prefix is the name
  std::string_view reason;
};
constexpr std::string_view together =
    "it makes functions out of others, and irsieve optimizes many at once";
constexpr std::string_view prints = "it writes to the terminal or to files";
constexpr Refusal refusals[] = {
    {"mergefunc", true, together},
    {"global-merge-func", true, together},
    {"iroutliner", true, together},
    {"hotcoldsplit", true, together},
    {"partial-inliner", true, together},
    {"loop-extract", false, together},
    {"extract-blocks", true, together},
    {"internalize", true, "it lets every function of a batch be removed"},
    {"print", false, prints},
    {"dot-", false, prints},
    {"view-", false, prints},
};

/// Passes that dereference the TargetMachine.
constexpr std::string_view needTarget[] = {
    "atomic-expand",
    "callbr-prepare",
    "codegenprepare",
    "complex-deinterleaving",
    "dwarf-eh-prepare",
    "expand-ir-insts",
    "expand-large-div-rem",
    "expand-large-fp-convert",
    "expand-memcmp",
    "hardware-loops",
    "indirectbr-expand",
    "interleaved-access",
    "interleaved-load-combine",
    "safe-stack",
    "select-optimize",
    "stack-protector",
    "typepromotion",
};

/// Passes that only run other passes.
constexpr llvm::StringLiteral wrappers[] = {
    "PassManager<",          "PassAdaptor",   "ModuleInlinerWrapperPass",
    "DevirtSCCRepeatedPass", "RepeatedPass<", "CoroConditionalWrapper",
};

/// Where the run of angle brackets that opens at `begin` ends.
std::size_t endOfOptions(std::string_view text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (depth == 0)
      return i + 1;
  }
  return text.size();
}

std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

/// "; did you mean 'gvn'?" for the pass that a message of LLVM quotes.
std::string suggestion(llvm::PassBuilder &builder, const std::string &message) {
  const std::size_t open = message.find('\'');
  const std::size_t close = message.find_first_of("'<", open + 1);
  if (open == std::string::npos || close == std::string::npos)
    return "";
  const llvm::StringRef wrong = llvm::StringRef(message).slice(open + 1, close);
  std::string names;
  llvm::raw_string_ostream stream(names);
  builder.printPassNames(stream);
  stream.flush();

  constexpr unsigned tolerated = 3;
  unsigned best = tolerated + 1;
  llvm::StringRef nearest;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  llvm::StringRef(names).split(lines, '\n');
  for (const llvm::StringRef line : lines) {
    if (line.empty() || line.front() != ' ')
      continue; // a headline
    const llvm::StringRef name =
        line.trim().take_until([](char c) { return c == '<'; });
    const unsigned distance = wrong.edit_distance(name, true, best);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  if (nearest.empty() || nearest == wrong)
    return "";
  return fmt::format("; did you mean '{}'?", nearest.str());
}

/// Keeps remarks and warnings off the terminal, and an error from ending the
/// process.
struct QuietDiagnostics : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo &diagnostic) override {
    if (diagnostic.getSeverity() == llvm::DS_Error) {
      std::string message;
      llvm::raw_string_ostream stream(message);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      diagnostic.print(printer);
      stream.flush();
      failGuarded(message);
    }
    return true;
  }
};

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
  });
}

} // namespace

corpus::Result<std::string> spellForRelease(std::string_view passes,
                                            unsigned release, bool hasTarget) {
  std::string spelled;
  for (std::size_t i = 0; i < passes.size();) {
    const std::size_t end =
        std::min(passes.find_first_of("<(),", i), passes.size());
    std::string_view name = passes.substr(i, end - i);
    const bool hasOptions = end < passes.size() && passes[end] == '<';
    i = hasOptions ? endOfOptions(passes, end) : end;
    const std::string_view options = passes.substr(end, i - end);

    for (const Refusal &row : refusals)
      if (row.whole ? name == row.prefix : name.starts_with(row.prefix))
        return corpus::Error{
            fmt::format("pass '{}' cannot be used: {}", name, row.reason)};
    if (!hasTarget && std::find(std::begin(needTarget), std::end(needTarget),
                                name) != std::end(needTarget))
      return corpus::Error{fmt::format(
          "pass '{}' needs a target: give one with --triple", name)};
    spelled += passNameIn(name, release);
    spelled += options;
    for (const DefaultOptions &row : defaultOptions)
      if (name == row.pass && !hasOptions && release >= row.since)
        spelled += row.options;
    for (; i < passes.size() &&
           (passes[i] == '(' || passes[i] == ')' || passes[i] == ',');
         ++i)
      spelled.push_back(passes[i]);
  }
  return spelled;
}

std::vector<std::string> topLevelPasses(std::string_view passes) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : passes) {
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<corpus::Error>
setLlvmOptions(const std::vector<std::string> &arguments) {
  static std::mutex mutex;
  static std::optional<std::vector<std::string>> given;
  const std::lock_guard lock(mutex);
  if (given) {
    if (*given == arguments)
      return std::nullopt;
    return corpus::Error{"this worker runs with other LLVM options already; "
                         "start another one"};
  }
  for (const std::string &argument : arguments) {
    const std::string_view name = std::string_view(argument).substr(
        std::min(argument.find_first_not_of('-'), argument.size()));
    if (!argument.starts_with('-') || name.starts_with("help") ||
        name.starts_with("version") || name.starts_with("print-"))
      return corpus::Error{fmt::format(
          "'{}' is not an LLVM option that changes a pass; "
          "--llvm-arg takes one such as -enable-nontrivial-unswitch",
          argument)};
  }
  std::vector<const char *> argv = {"irsieve"};
  if (release::keepPassNames)
    argv.push_back(release::keepPassNames);
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!llvm::cl::ParseCommandLineOptions(static_cast<int>(argv.size()),
                                         argv.data(), "", &stream)) {
    stream.flush();
    llvm::StringRef text(message);
    text.consume_front("irsieve: ");
    return corpus::Error{oneLine(text.split(".  Try:").first.str())};
  }
  given = arguments;
  return std::nullopt;
}

Session::Session(const Pipeline &pipeline)
    : pipeline_(pipeline), ofEveryBody_(release::ofEveryBody()) {
  context_.setDiscardValueNames(true);
  context_.setDiagnosticHandler(std::make_unique<QuietDiagnostics>());
}

Session::~Session() { clearAnalyses(); }

corpus::Result<std::unique_ptr<Session>>
Session::make(const Pipeline &pipeline) {
  std::unique_ptr<Session> session(new Session(pipeline));
  if (auto error = session->parse())
    return std::move(*error);
  return session;
}

std::optional<corpus::Error> Session::parse() {
  if (auto error = setLlvmOptions(pipeline_.llvmArgs))
    return error;
  dataLayout_ = pipeline_.dataLayout;
  if (!pipeline_.triple.empty()) {
    initializeTargets();
    pipeline_.triple = llvm::Triple::normalize(pipeline_.triple);
    std::string message;
    target_ = release::makeTargetMachine(pipeline_.triple, message);
    if (!target_)
      return corpus::Error{oneLine(message)};
    if (dataLayout_.empty() && release::layoutFollowsTriple(release::number))
      dataLayout_ = target_->createDataLayout().getStringRepresentation();
  }
  if (llvm::Expected<llvm::DataLayout> layout =
          llvm::DataLayout::parse(dataLayout_);
      !layout)
    return corpus::Error{oneLine(llvm::toString(layout.takeError()))};
  else
    isBigEndian_ = layout->isBigEndian();
  auto spelled =
      spellForRelease(pipeline_.passes, release::number, target_ != nullptr);
  if (!spelled)
    return spelled.error();
  info_.asRun = *spelled;

  // As opt does it: default tuning, no profile.
  // NOLINTNEXTLINE(modernize-make-unique): it cannot pass `{}` on.
  builder_.reset(new llvm::PassBuilder(target_.get(),
                                       llvm::PipelineTuningOptions(),
                                       /*PGOOpt=*/{}, &callbacks_));
  complete_.functions.registerPass(
      [&] { return builder_->buildDefaultAAPipeline(); });
  release::provideAliasesWithoutMemory(*builder_, withoutMemory_.functions);
  provide(complete_);
  provide(withoutMemory_);

  llvm::ModulePassManager modulePasses;
  if (llvm::Error error =
          builder_->parsePassPipeline(modulePasses, info_.asRun)) {
    const std::string message = oneLine(llvm::toString(std::move(error)));
    return corpus::Error{message + suggestion(*builder_, message)};
  }
  info_.expanded = release::expand(modulePasses, callbacks_);
  cutIntoStages();
  return std::nullopt;
}

/// All that is not registered yet.
void Session::provide(Analyses &analyses) {
  builder_->registerModuleAnalyses(analyses.modules);
  builder_->registerCGSCCAnalyses(analyses.components);
  builder_->registerFunctionAnalyses(analyses.functions);
  builder_->registerLoopAnalyses(analyses.loops);
  builder_->crossRegisterProxies(analyses.loops, analyses.functions,
                                 analyses.components, analyses.modules);
}

/// What a manager made of `passes` would do, as this release spells it; nothing
/// where it does not parse, "" where it cannot be spelled.
template <typename Manager>
std::optional<std::string> Session::expanded(const std::string &passes) {
  Manager manager;
  if (llvm::Error error = builder_->parsePassPipeline(manager, passes)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return release::expand(manager, callbacks_);
}

/// Keeps the stages only if they do, one after the other, what the whole does:
/// a pass may mean something else in another place.
template <typename Manager>
void Session::keepStagesOf(const std::string &whole) {
  std::string parts;
  for (const std::string &stage : stages_) {
    const auto part = expanded<Manager>(stage);
    if (!part || part->empty()) {
      parts.clear();
      break;
    }
    parts += (parts.empty() ? "" : ",") + *part;
  }
  if (parts.empty() || parts != whole)
    stages_ = {info_.asRun};
}

/// A chain of function passes is cut behind each of them. Everything else is
/// cut behind those that run several passes on each function, because only
/// there time goes.
void Session::cutIntoStages() {
  if (const auto whole = expanded<llvm::FunctionPassManager>(info_.asRun)) {
    stages_ = topLevelPasses(info_.asRun);
    keepStagesOf<llvm::FunctionPassManager>(*whole);
    for (const std::string &stage : stages_)
      llvm::cantFail(
          builder_->parsePassPipeline(functionPasses_.emplace_back(), stage));
    countCached();
    return;
  }
  // Of what was spelled out, an alias too has parts.
  bool isOpen = false;
  for (const std::string &pass : topLevelPasses(info_.expanded)) {
    if (isOpen)
      stages_.back() += "," + pass;
    else
      stages_.push_back(pass);
    isOpen = !(pass.starts_with("function") || pass.starts_with("cgscc")) ||
             pass.find(',') == std::string::npos;
  }
  // A last stage of small things is not worth a cut.
  if (isOpen && stages_.size() > 1) {
    const std::string rest = std::move(stages_.back());
    stages_.pop_back();
    stages_.back() += "," + rest;
  }
  keepStagesOf<llvm::ModulePassManager>(info_.expanded);
}

bool Session::stagesAreOfAlias() const {
  return info_.asRun.find("default<") != std::string::npos ||
         info_.asRun.find("lto") != std::string::npos;
}

const Session::Pass &Session::pass(llvm::StringRef className) {
  // A class has one name in the whole program, so its address will do.
  const auto [entry, isNew] = passes_.try_emplace(className.data());
  Pass &pass = entry->second;
  if (!isNew || std::any_of(std::begin(wrappers), std::end(wrappers),
                            [&](llvm::StringRef wrapper) {
                              return className.contains(wrapper);
                            }))
    return pass;
  pass.name = callbacks_.getPassNameForClassName(className);
  if (pass.name.empty())
    pass.name = className;
  pass.packed = PassName(std::string_view(pass.name.data(), pass.name.size()));
  return pass;
}

std::unique_ptr<llvm::Module> Session::makeModule() {
  auto module = std::make_unique<llvm::Module>("irsieve", context_);
  if (!pipeline_.triple.empty())
    release::setTriple(*module, pipeline_.triple);
  if (!dataLayout_.empty())
    module->setDataLayout(dataLayout_);
  return module;
}

std::optional<std::string>
Session::lackOf(const corpus::Program &program) const {
  if (auto lack = runner::lackOf(program))
    return lack;
  return otherByteOrder(program, isBigEndian_);
}

void Session::run(llvm::Function &function) {
  for (llvm::FunctionPassManager &passes : functionPasses_)
    passes.run(function, analyses_->functions);
}

void Session::run(llvm::Function &function, std::size_t stage) {
  functionPasses_[stage].run(function, analyses_->functions);
}

void Session::forget(llvm::Function &function) {
  analyses_->functions.clear(function, function.getName());
}

bool Session::makeEmpty(llvm::Function &function) {
  if (function.hasMetadata())
    return false;
  // An assumption is in a cache that is kept.
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (llvm::isa<llvm::AssumeInst>(instruction))
        return false;
  if (cached_ == cachedOfEveryBody_) {
    release::forgetLastRun(analyses_->functions, function);
  } else {
    analyses_->functions.invalidate(function, ofEveryBody_);
    cachedOfEveryBody_ = cached_;
  }
  for (llvm::BasicBlock &block : function)
    block.dropAllReferences();
  for (llvm::BasicBlock &block : function)
    while (!block.empty())
      block.back().eraseFromParent();
  return true;
}

/// To ask of all that is cached whether it stays takes half as long as lifting.
void Session::countCached() {
  const auto weightOf = [](llvm::StringRef analysis) -> std::uint64_t {
    // A class has one name in the whole program, so its address will do.
    return release::isLastRun(analysis)
               ? 0
               : size_t(llvm::hash_value(analysis.data()));
  };
  callbacks_.registerBeforeAnalysisCallback(
      [=, this](llvm::StringRef analysis, const llvm::Any &) {
        cached_ += weightOf(analysis);
      });
  callbacks_.registerAnalysisInvalidatedCallback(
      [=, this](llvm::StringRef analysis, const llvm::Any &) {
        cached_ -= weightOf(analysis);
      });
  callbacks_.registerAnalysesClearedCallback(
      [this](llvm::StringRef) { cachedOfEveryBody_.reset(); });
}

/// The tree of dominators is kept too, since what may alias depends on it, and
/// is filled anew; that of one block is the same for all.
void Session::seeBlocks(llvm::Function &function) {
  auto *tree =
      analyses_->functions.getCachedResult<llvm::DominatorTreeAnalysis>(
          function);
  if (tree != nullptr &&
      (function.size() > 1 || tree->getRoot() != &function.front() ||
       !tree->getRootNode()->isLeaf()))
    tree->recalculate(function);
}

llvm::ModulePassManager Session::parseModulePasses(const std::string &passes) {
  llvm::ModulePassManager manager;
  // It parsed before.
  llvm::cantFail(builder_->parsePassPipeline(manager, passes));
  return manager;
}

void Session::run(llvm::Module &module) {
  parseModulePasses(info_.asRun).run(module, analyses_->modules);
}

void Session::run(llvm::Module &module, std::size_t stage) {
  parseModulePasses(stages_[stage]).run(module, analyses_->modules);
}

void Session::erase(llvm::Module &module,
                    llvm::ArrayRef<llvm::Function *> functions) {
  if (functions.empty())
    return;
  for (llvm::Function *function : functions) {
    forget(*function);
    function->eraseFromParent();
  }
  // It has nodes for them, and comes out the same when it is made anew.
  llvm::PreservedAnalyses rest = llvm::PreservedAnalyses::all();
  rest.abandon<llvm::LazyCallGraphAnalysis>();
  analyses_->modules.invalidate(module, rest);
}

void Session::clearAnalyses() {
  analyses_->loops.clear();
  analyses_->functions.clear();
  analyses_->components.clear();
  analyses_->modules.clear();
  analyses_ = &complete_;
  cachedOfEveryBody_.reset();
}

} // namespace runner
