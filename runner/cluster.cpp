// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/cluster.h"

#include "corpus/system/process.h"
#include "runner/campaign_options.h"
#include "runner/hunt/options.h"
#include "runner/merge.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace runner {
namespace {

namespace fs = std::filesystem;
using corpus::Error;
using corpus::ExitCode;
using corpus::Result;
using Json = nlohmann::json;

constexpr std::uint64_t maximumShards = 100'000;

/// What is cut into shards, as the command of irsieve that runs one, and what
/// that and their merger are called in the folder.
struct Work {
  std::string_view command;
  std::string_view suffix;
};
constexpr Work works[] = {{"run", ".db"}, {"hunt", ""}};

const Work &workNamed(std::string_view command) {
  return *std::find_if(
      std::begin(works), std::end(works) - 1,
      [&](const Work &work) { return work.command == command; });
}

/// What plan.json holds.
struct Plan {
  std::string command; ///< of works
  std::uint64_t shards = 0;
  unsigned threads = 1;
  /// How often what is missing is still submitted.
  unsigned attempts = 0;
  std::string scheduler;           ///< "slurm" or "parallel"
  std::vector<std::string> sbatch; ///< further arguments of sbatch

  bool isHunt() const { return command == "hunt"; }
};

void to_json(Json &json, const Plan &plan) {
  json = {{"command", plan.command},     {"shards", plan.shards},
          {"threads", plan.threads},     {"attempts", plan.attempts},
          {"scheduler", plan.scheduler}, {"sbatch", plan.sbatch}};
}

void from_json(const Json &json, Plan &plan) {
  json.at("command").get_to(plan.command);
  json.at("shards").get_to(plan.shards);
  json.at("threads").get_to(plan.threads);
  json.at("attempts").get_to(plan.attempts);
  json.at("scheduler").get_to(plan.scheduler);
  json.at("sbatch").get_to(plan.sbatch);
}

/// The folder; every path in it is made here.
class Folder {
public:
  explicit Folder(const std::string &path) : path_(fs::absolute(path)) {}

  std::string operator/(const std::string &name) const {
    return (path_ / name).string();
  }
  std::string database(const Plan &plan, std::uint64_t shard) const {
    return *this /
           fmt::format("shard-{}{}", shard, workNamed(plan.command).suffix);
  }
  std::string log(std::uint64_t shard) const {
    return *this / fmt::format("log/shard-{}.txt", shard);
  }
  std::string merged(const Plan &plan) const {
    return *this / fmt::format("all{}", workNamed(plan.command).suffix);
  }
  std::string text() const { return path_.string(); }

  Result<std::monostate> write(const std::string &name,
                               const std::string &text) const {
    const std::string path = *this / name;
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file)
      return Error{fmt::format("{}: cannot be written", path)};
    return std::monostate();
  }

  Result<Plan> plan() const {
    std::ifstream file(*this / "plan.json");
    const Json json = Json::parse(file, nullptr, false);
    if (json.is_discarded())
      return Error{fmt::format("{}: no campaign of `irsieve cluster` here",
                               path_.string())};
    return json.get<Plan>();
  }

private:
  fs::path path_;
};

std::string selfPath() { return fs::read_symlink("/proc/self/exe").string(); }

/// 1 is what a hunt hopes for, 3 is counted, and 4 is the end of a budget or,
/// as what is there will show, of a machine: only what is worth another attempt
/// fails.
std::string shardScript(const Folder &folder, const Plan &plan) {
  return fmt::format(
      "#!/bin/sh\n"
      "# Runs one shard, or what is left of it: shard.sh NUMBER\n"
      "cd {} || exit 2\n"
      "code=0\n"
      "{} --config {} {} --shard \"$1/{}\" --db {}/shard-\"$1\"{} \\\n"
      "  --threads {}{} --progress json >>{}/log/shard-\"$1\".txt 2>&1 "
      "|| code=$?\n"
      "case $code in 0|1|3{}) exit 0 ;; *) exit $code ;; esac\n",
      corpus::shellWord(fs::current_path().string()),
      corpus::shellWord(selfPath()), corpus::shellWord(folder / "run.toml"),
      plan.command, plan.shards, corpus::shellWord(folder.text()),
      workNamed(plan.command).suffix, plan.threads,
      plan.isHunt() ? "" : " --no-triage", corpus::shellWord(folder.text()),
      plan.isHunt() ? "|4" : "");
}

/// Merges whatever came of the shards.
std::string finishScript(const Folder &folder, const Plan &plan) {
  return fmt::format("#!/bin/sh\n"
                     "# Merges the shards, submits again what is missing, and "
                     "makes bugs of what is wrong.\n"
                     "{0} cluster finish {1} || exit $?\n"
                     "exec {0} triage --db {2}\n",
                     corpus::shellWord(selfPath()),
                     corpus::shellWord(folder.text()),
                     corpus::shellWord(folder.merged(plan)));
}

struct ShardState {
  enum class Word { missing, unfinished, damaged, finished };
  Word word = Word::missing;
  std::string problem; ///< of damaged
};

ShardState stateOf(const Folder &folder, const Plan &plan,
                   std::uint64_t shard) {
  using Word = ShardState::Word;
  const std::string database = folder.database(plan, shard);
  std::error_code error;
  if (!fs::exists(database, error))
    return {Word::missing, ""};
  const auto finished =
      plan.isHunt() ? isEndedHunt(database) : isFinishedShard(database);
  if (!finished)
    return {Word::damaged, finished.error().message};
  return {*finished ? Word::finished : Word::unfinished, ""};
}

/// "1,3,5-8", as sbatch --array takes it.
std::string rangesText(const std::vector<std::uint64_t> &numbers) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
      ++end;
    parts.push_back(end - i == 1
                        ? fmt::format("{}", numbers[i])
                        : fmt::format("{}-{}", numbers[i], numbers[end - 1]));
    i = end;
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

/// The id of the job that sbatch makes.
Result<std::string> submit(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"sbatch", "--parsable"});
  const corpus::ProcessEnd end =
      corpus::runProcess(arguments, "", {std::chrono::minutes(5)});
  if (!end.isGood())
    return Error{
        end.code == corpus::ProcessEnd::cannotStart
            ? std::string("sbatch is not on PATH: run this where jobs are "
                          "submitted, or take `irsieve cluster parallel`")
            : fmt::format("sbatch: {} {}", end.what, end.err)};
  return end.out.substr(0, end.out.find_first_of(";\n"));
}

/// An array job for the shards, and behind it, whatever happens to them, the
/// one that merges.
Result<std::monostate> submitShards(const Folder &folder, const Plan &plan,
                                    const std::vector<std::uint64_t> &shards) {
  std::vector<std::string> array = {
      "--array=" + rangesText(shards),
      "--job-name=irsieve",
      "--requeue",
      fmt::format("--cpus-per-task={}", plan.threads),
      "--output=" + (folder / "log/slurm-%a.txt"),
      "--open-mode=append"};
  array.insert(array.end(), plan.sbatch.begin(), plan.sbatch.end());
  array.push_back(folder / "array.sh");
  const auto job = submit(std::move(array));
  if (!job)
    return job.error();
  std::vector<std::string> merge = {
      "--dependency=afterany:" + *job, "--job-name=irsieve-merge", "--requeue",
      "--output=" + (folder / "log/merge.txt"), "--open-mode=append"};
  merge.insert(merge.end(), plan.sbatch.begin(), plan.sbatch.end());
  merge.push_back(folder / "finish.sh");
  const auto last = submit(std::move(merge));
  if (!last)
    return last.error();
  fmt::print("job {}: shards {}\njob {}: merges them\n", *job,
             rangesText(shards), *last);
  return std::monostate();
}

struct StartArguments {
  // One of them, parsed so that mistakes are seen here.
  CampaignOptions campaign;
  HuntOptions hunt;
  std::string folder;
  Plan plan;
  std::vector<std::string> hosts;
  bool dryRun = false;
};

/// The options of the work as its command reads them from a file; those of the
/// cluster command itself are not among them.
std::string toml(const CLI::App &command, const Plan &plan,
                 const std::set<std::string> &own) {
  std::string text = fmt::format("[{}]\n", plan.command);
  for (const CLI::Option *option : command.get_options()) {
    if (option->count() == 0 || own.count(option->get_name()) != 0)
      continue;
    const std::string name = option->get_name(option->get_positional());
    const auto value = [](const std::string &result) {
      return Json(result).dump();
    };
    std::vector<std::string> values;
    for (const std::string &result : option->results())
      values.push_back(value(result));
    text += fmt::format(
        "{}={}\n",
        name.substr(std::min(name.find_first_not_of('-'), name.size())),
        values.size() == 1 ? values.front()
                           : fmt::format("[{}]", fmt::join(values, ", ")));
  }
  return text;
}

/// Writes the folder. Fails when it holds another campaign.
Result<std::monostate> lay(const Folder &folder, const Plan &plan,
                           const std::string &toml) {
  const auto same = [&](const std::string &name, const std::string &text) {
    std::ifstream file(folder / name);
    const std::string there((std::istreambuf_iterator<char>(file)), {});
    return !file.is_open() || there == text;
  };
  const auto before = folder.plan();
  if (!same("run.toml", toml) || (before && before->shards != plan.shards))
    return Error{fmt::format("{} holds another campaign; take another --db, or "
                             "the same arguments to go on with that one",
                             folder.text())};
  const std::pair<std::string, std::string> files[] = {
      {"run.toml", toml},
      {"plan.json", Json(plan).dump(2) + "\n"},
      {"shard.sh", shardScript(folder, plan)},
      {"finish.sh", finishScript(folder, plan)},
      {"array.sh", fmt::format("#!/bin/sh\nexec {} \"$SLURM_ARRAY_TASK_ID\"\n",
                               corpus::shellWord(folder / "shard.sh"))},
      {"log/README", "What the shards said, a file each.\n"}};
  for (const auto &[name, text] : files) {
    if (auto written = folder.write(name, text); !written)
      return written;
    if (name.ends_with(".sh"))
      fs::permissions(folder / name, fs::perms::owner_exec,
                      fs::perm_options::add);
  }
  return std::monostate();
}

std::vector<std::uint64_t> unfinished(const Folder &folder, const Plan &plan) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t shard = 1; shard <= plan.shards; ++shard)
    if (stateOf(folder, plan, shard).word != ShardState::Word::finished)
      numbers.push_back(shard);
  return numbers;
}

/// GNU parallel takes over this process: its progress, signals and exit code
/// are those that its users know.
std::string parallelScript(const Folder &folder, const Plan &plan,
                           const std::vector<std::string> &hosts) {
  return fmt::format(
      "#!/bin/sh\n"
      "# Every shard once, three attempts each; then what came of them.\n"
      "seq 1 {} | parallel --jobs {} --retries 3 --joblog {} {}{} {{}}\n"
      "exec {}\n",
      plan.shards, hosts.empty() ? "100%" : "1",
      corpus::shellWord(folder / "log/parallel.txt"),
      hosts.empty() ? ""
                    : fmt::format("-S {} ", corpus::shellWord(fmt::format(
                                                "{}", fmt::join(hosts, ",")))),
      corpus::shellWord(folder / "shard.sh"),
      corpus::shellWord(folder / "finish.sh"));
}

Result<ExitCode> start(const StartArguments &arguments,
                       const std::string &toml) {
  const Folder folder(arguments.folder);
  if (auto laid = lay(folder, arguments.plan, toml); !laid)
    return laid.error();
  const bool isSlurm = arguments.plan.scheduler == "slurm";
  if (!isSlurm)
    if (auto written =
            folder.write("parallel.sh", parallelScript(folder, arguments.plan,
                                                       arguments.hosts));
        !written)
      return written.error();
  if (arguments.dryRun) {
    fmt::print("{} is laid out; nothing was started\n", folder.text());
    return ExitCode::nothingWrong;
  }
  if (!isSlurm) {
    const std::string script = folder / "parallel.sh";
    std::fflush(nullptr);
    ::execl("/bin/sh", "sh", script.c_str(), static_cast<char *>(nullptr));
    return Error{"/bin/sh cannot be started"};
  }
  const auto shards = unfinished(folder, arguments.plan);
  if (shards.empty()) {
    fmt::print("every shard is finished; `irsieve cluster finish {}` merges "
               "them\n",
               folder.text());
    return ExitCode::nothingWrong;
  }
  if (auto submitted = submitShards(folder, arguments.plan, shards); !submitted)
    return submitted.error();
  fmt::print("`irsieve cluster status {}` says how far they are\n",
             folder.text());
  return ExitCode::nothingWrong;
}

/// The last line of a log that is a progress object: one that a campaign or a
/// hunt writes.
Json lastProgress(const std::string &path) {
  std::ifstream file(path);
  Json last;
  for (std::string line; std::getline(file, line);)
    if (Json json = Json::parse(line, nullptr, false);
        json.is_object() &&
        (json.contains("done") || json.contains("rewrites")))
      last = std::move(json);
  return last;
}

std::string campaignLine(const Json &progress) {
  return fmt::format("{}: {} of {} functions, {} findings",
                     progress.at("lane").get<std::string>(),
                     progress.at("done").dump(), progress.at("total").dump(),
                     progress.at("findings").dump());
}

std::string huntLine(const Json &progress) {
  return fmt::format(
      "{}: {} rewrites, {} kinds of findings, {} bugs after {}",
      progress.contains("ended")
          ? "ended"
          : fmt::format("{} over {}",
                        progress.at("pipeline").get<std::string>(),
                        progress.at("space").get<std::string>()),
      progress.at("rewrites").dump(), progress.at("kinds_of_findings").dump(),
      progress.at("bugs").dump(),
      durationText(
          std::chrono::seconds(progress.at("seconds").get<std::int64_t>())));
}

/// From the logs alone: a database that another machine writes is not to be
/// opened here.
Result<ExitCode> status(const std::string &path, const std::string &format) {
  const Folder folder(path);
  const auto plan = folder.plan();
  if (!plan)
    return plan.error();
  Json shards = Json::array();
  for (std::uint64_t shard = 1; shard <= plan->shards; ++shard)
    shards.push_back(
        {{"shard", shard}, {"progress", lastProgress(folder.log(shard))}});
  const bool isMerged = fs::exists(folder.merged(*plan));
  if (format == "json") {
    fmt::print("{}\n", Json({{"shards", shards}, {"merged", isMerged}}).dump());
    return ExitCode::nothingWrong;
  }
  std::uint64_t begun = 0;
  for (const Json &shard : shards) {
    const Json &progress = shard.at("progress");
    begun += progress.is_null() ? 0 : 1;
    fmt::print("shard {}: {}\n", shard.at("shard").get<std::uint64_t>(),
               progress.is_null() ? "not begun"
               : plan->isHunt()   ? huntLine(progress)
                                  : campaignLine(progress));
  }
  const auto sumOf = [&](const char *key) {
    double sum = 0;
    for (const Json &shard : shards)
      if (const Json &progress = shard.at("progress"); !progress.is_null())
        sum += progress.at(key).get<double>();
    return sum;
  };
  std::string all;
  if (plan->isHunt())
    all = fmt::format("{:.0f} kinds of findings, {:.0f} bugs",
                      sumOf("kinds_of_findings"), sumOf("bugs"));
  else
    all = fmt::format("{:.1f} % of their present pipelines, {:.0f} findings",
                      100 * sumOf("done") / std::max(1.0, sumOf("total")),
                      sumOf("findings"));
  fmt::print("{} of {} shards begun, {}; {}\n", begun, plan->shards, all,
             isMerged ? folder.merged(*plan) + " holds what was merged"
                      : std::string("not merged yet"));
  return ExitCode::nothingWrong;
}

/// Removes what an earlier attempt left there.
void replaceBy(const std::string &path, const std::string &fresh) {
  fs::remove_all(path);
  fs::rename(fresh, path);
}

/// Merges what is finished; submits what is not, if the plan says so.
Result<ExitCode> finish(const std::string &path) {
  const Folder folder(path);
  auto plan = folder.plan();
  if (!plan)
    return plan.error();
  std::vector<std::uint64_t> missing;
  std::vector<std::string> finished;
  for (std::uint64_t shard = 1; shard <= plan->shards; ++shard) {
    const std::string database = folder.database(*plan, shard);
    const ShardState state = stateOf(folder, *plan, shard);
    if (state.word == ShardState::Word::finished) {
      finished.push_back(database);
      continue;
    }
    missing.push_back(shard);
    if (state.word != ShardState::Word::damaged)
      continue;
    // Begun anew; the old one is left to look at.
    fmt::print(stderr, "shard {}: {}\n", shard, state.problem);
    for (const char *part : {"", "-wal", "-shm"})
      if (fs::exists(database + part))
        replaceBy(database + ".damaged" + part, database + part);
  }
  if (!missing.empty()) {
    fmt::print(stderr, "{} of {} shards are not finished: {}\n", missing.size(),
               plan->shards, rangesText(missing));
    if (plan->scheduler != "slurm" || plan->attempts == 0) {
      fmt::print(stderr, "run {} NUMBER for each of them, then this again\n",
                 folder / "shard.sh");
      return ExitCode::stopped;
    }
    --plan->attempts;
    if (auto written = folder.write("plan.json", Json(*plan).dump(2) + "\n");
        !written)
      return written.error();
    if (auto submitted = submitShards(folder, *plan, missing); !submitted)
      return submitted.error();
    return ExitCode::stopped;
  }
  // Made aside, so that a merge that dies leaves nothing that looks whole.
  const std::string aside =
      folder / fmt::format("merging{}", workNamed(plan->command).suffix);
  for (const char *part : {"", "-wal", "-shm"})
    fs::remove_all(aside + part);
  if (plan->isHunt()) {
    if (auto merged = mergeHunts(aside, finished); !merged)
      return merged.error();
  } else {
    const auto merged = mergeShards(aside, finished);
    if (!merged)
      return merged.error();
    if (!*merged)
      return Error{"the shards are finished and yet not all of the campaign"};
  }
  replaceBy(folder.merged(*plan), aside);
  fmt::print("all {} shards: {}\n", plan->shards, folder.merged(*plan));
  return ExitCode::nothingWrong;
}

void report(const Result<ExitCode> &result, ExitCode &exitCode) {
  if (result) {
    exitCode = *result;
    return;
  }
  fmt::print(stderr, "irsieve cluster: {}\n", result.error().message);
  exitCode = ExitCode::badInput;
}

/// The options of the command that runs a shard, and the name of the one that
/// starts them all.
std::string addWorkOptions(CLI::App &command, StartArguments &arguments) {
  if (arguments.plan.isHunt()) {
    addHuntOptions(command, arguments.hunt);
    return "--llvm 22 --budget 8h --shards 64 --db /shared/hunt";
  }
  addCampaignOptions(command, arguments.campaign);
  addReleasesOption(command, arguments.campaign);
  command
      .add_option("--opt", arguments.campaign.opts,
                  "Path of an opt of your own, instead of or beside --llvm; "
                  "repeat it for more")
      ->allow_extra_args(false);
  return "i2x3 --passes=instcombine --llvm 22 --shards 64 --db /shared/i2x3";
}

void addStart(CLI::App &cluster, const std::string &scheduler, const Work &work,
              const std::string &help, ExitCode &exitCode) {
  auto arguments = std::make_shared<StartArguments>();
  arguments->plan.command = work.command;
  arguments->plan.scheduler = scheduler;
  arguments->plan.attempts = 3;
  const std::string name =
      scheduler + (arguments->plan.isHunt() ? "-hunt" : "");
  CLI::App *command = cluster.add_subcommand(name, help);
  const std::string example =
      fmt::format("Example: irsieve cluster {} {}", name,
                  addWorkOptions(*command, *arguments));
  std::set<std::string> own = {"--help", "--threads", "--shards", "--db",
                               "--dry-run"};
  command
      ->add_option("--shards", arguments->plan.shards,
                   arguments->plan.isHunt()
                       ? "Parts to deal the pairs of a space and a pipeline to"
                       : "Equal parts to cut the campaign into; `irsieve space "
                         "SPEC --passes … --cores N` advises")
      ->required()
      ->check(CLI::Range(std::uint64_t(1), maximumShards));
  command
      ->add_option("--db", arguments->folder,
                   "Folder for all of it, on a file system that every machine "
                   "sees")
      ->required();
  command->add_flag("--dry-run", arguments->dryRun,
                    "Lay the folder out and start nothing");
  if (scheduler == "slurm") {
    command
        ->add_option("--sbatch", arguments->plan.sbatch,
                     "Further argument of sbatch, such as "
                     "--sbatch=--partition=night; repeat it for more")
        ->allow_extra_args(false);
    command->add_option("--attempts", arguments->plan.attempts,
                        "How often missing shards are submitted again "
                        "(default: 3)");
    own.insert({"--sbatch", "--attempts"});
    command->footer(example + "\nExit code: 0 submitted, 2 bad input");
  } else {
    command
        ->add_option("--host", arguments->hosts,
                     "Machines to reach by ssh, as parallel -S takes them; "
                     "none: this one")
        ->delimiter(',');
    own.insert("--host");
    command->footer(example + " --host a,b\nExit code: as `irsieve triage`; 4 "
                              "when shards are missing");
  }
  command->callback([arguments, command, own, &exitCode] {
    const unsigned threads = arguments->plan.isHunt()
                                 ? arguments->hunt.campaign.threads
                                 : arguments->campaign.threads;
    if (threads != 0)
      arguments->plan.threads = threads;
    report(start(*arguments, toml(*command, arguments->plan, own)), exitCode);
  });
}

} // namespace

void addClusterCommand(CLI::App &app, ExitCode &exitCode) {
  CLI::App *cluster = app.add_subcommand(
      "cluster", "A campaign in shards, on many machines: slurm or parallel "
                 "starts it, status says how far it is");
  cluster->require_subcommand(1);
  for (const Work &work : works) {
    const std::string_view what =
        work.command == "hunt" ? ", of a hunt in shards" : "";
    addStart(*cluster, "slurm", work,
             fmt::format("An array job of Slurm, and one that merges{}", what),
             exitCode);
    addStart(*cluster, "parallel", work,
             fmt::format("GNU parallel, here or over ssh{}", what), exitCode);
  }

  auto folder = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  CLI::App *progress =
      cluster->add_subcommand("status", "How far each shard is, from anywhere");
  progress->add_option("folder", *folder, "What --db named")->required();
  progress->add_option("--format", *format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  progress->footer("Example: irsieve cluster status /shared/i2x3");
  progress->callback([folder, format, &exitCode] {
    report(status(*folder, *format), exitCode);
  });
  CLI::App *last = cluster->add_subcommand(
      "finish", "Merge the shards, and submit again what is missing; the job "
                "behind the array does it");
  last->add_option("folder", *folder, "What --db named")->required();
  last->footer("Example: irsieve cluster finish /shared/i2x3\n"
               "Exit code: 0 merged, 2 bad input, 4 shards are missing");
  last->callback([folder, &exitCode] { report(finish(*folder), exitCode); });
}

} // namespace runner
