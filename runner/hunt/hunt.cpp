// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/hunt.h"

#include "checker/semantics/verdict.h"
#include "enumerate/lack.h"
#include "enumerate/order.h"
#include "enumerate/spec.h"
#include "runner/certificate.h"
#include "runner/evaluate.h"
#include "runner/external_opt.h"
#include "runner/file_corpus.h"
#include "runner/hunt/portfolio.h"
#include "runner/own_build.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <unistd.h>

namespace runner {
namespace {

using corpus::Error;
using corpus::Result;
using std::chrono::duration_cast;

namespace fs = std::filesystem;

constexpr std::string_view identityFile = "hunt.json";
constexpr std::string_view decisionsFile = "decisions.jsonl";
constexpr std::string_view spentFile = "spent.json";
constexpr std::string_view foundFile = "found.jsonl";
constexpr std::string_view databaseSuffix = ".db";
constexpr std::string_view corpusName = "corpus";

constexpr int huntVersion = 1;
/// How often the time that is gone is written down.
constexpr std::chrono::seconds saveEvery(2);
/// Of the budget, for what comes after its end: the page.
constexpr double reserve = 0.01;
/// Triage in between does not keep the hunt for longer.
constexpr std::chrono::seconds longestTriage(60);

std::string inFolder(const std::string &folder, std::string_view name) {
  return (fs::path(folder) / name).string();
}

std::string readText(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The whole text or none of it, however this process ends.
Result<std::monostate> replaceText(const std::string &path,
                                   const std::string &text) {
  const std::string fresh = path + ".new";
  std::ofstream file(fresh);
  file << text;
  file.close();
  std::error_code error;
  if (file)
    fs::rename(fresh, path, error);
  if (!file || error)
    return Error{fmt::format("{}: cannot be written", path)};
  return std::monostate();
}

std::uint64_t hashOf(const std::string &text) {
  return corpus::digestOf(
             {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()})
      .low;
}

bool hasTwice(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

/// A space of no more is looked at in order of rank. That is faster, but a rank
/// says what a function is like: those at first are alike.
constexpr std::uint64_t smallSpace = 20'000;
/// How far the order of the others goes: more than a night.
constexpr std::uint64_t mostOfLarge = 1ULL << 40;

std::uint64_t positionsOf(corpus::Rank functions) {
  return static_cast<std::uint64_t>(
      std::min<corpus::Rank>(functions, mostOfLarge));
}

} // namespace

Result<std::vector<std::string>> databasesOf(const std::string &path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return std::vector{path};
  if (!fs::exists(inFolder(path, identityFile), error))
    return Error{fmt::format("{}: a folder, but not that of an `irsieve hunt`; "
                             "give a database or such a folder",
                             path)};
  std::vector<std::string> databases;
  for (const auto &entry : fs::directory_iterator(path, error))
    if (entry.path().extension() == databaseSuffix)
      databases.push_back(entry.path().string());
  std::sort(databases.begin(), databases.end());
  if (databases.empty())
    return Error{fmt::format("{}: this hunt has not looked at anything yet; "
                             "give it more --budget",
                             path)};
  return databases;
}

Result<std::monostate> makeHuntFolder(const std::string &path) {
  std::error_code error;
  fs::create_directories(path, error);
  const std::string file = inFolder(path, identityFile);
  if (fs::exists(file, error))
    return std::monostate();
  return replaceText(file, Json({{"version", huntVersion}}).dump() + "\n");
}

Result<bool> isEndedHunt(const std::string &path) {
  std::error_code error;
  if (!fs::exists(inFolder(path, identityFile), error))
    return false;
  for (const auto &entry : fs::directory_iterator(path, error))
    if (entry.path().extension() == databaseSuffix) {
      const auto store = corpus::Store::open(entry.path().string());
      if (!store)
        return store.error();
      if (auto sound = store->check(); !sound)
        return sound.error();
    }
  const Json spent =
      Json::parse(readText(inFolder(path, spentFile)), nullptr, false);
  return spent.is_object() && spent.value("ended", false);
}

void Hunt::Union::set(std::size_t arm, std::vector<std::uint64_t> items) {
  std::vector<std::uint64_t> &mine = items_[arm];
  for (const std::uint64_t item : items)
    ++counts_[item];
  for (const std::uint64_t item : mine)
    if (const auto count = counts_.find(item); --count->second == 0)
      counts_.erase(count);
  mine = std::move(items);
}

Result<Hunt> Hunt::prepare(const HuntOptions &options,
                           corpus::ProgramReader &reader) {
  Hunt hunt;
  hunt.options_ = options;
  hunt.reader_ = &reader;
  hunt.started_ = hunt.saved_ = hunt.shown_ = Clock::now();
  if (auto made = hunt.makeArms(); !made)
    return made.error();

  Json identity = {{"version", huntVersion},
                   {"optimizer", hunt.optimizer_},
                   {"seed", options.seed},
                   {"semantics", options.campaign.semantics},
                   {"corpus", options.campaign.corpus},
                   {"spaces", Json::array()},
                   {"pipelines", Json::array()}};
  for (const Space &space : hunt.spaces_)
    identity["spaces"].push_back(space.spec);
  for (const Pipeline &pipeline : hunt.pipelines_)
    identity["pipelines"].push_back(pipeline.passes);
  if (!options.shard.empty())
    identity["shard"] = options.shard;

  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error)
    return Error{fmt::format("--db {}: {}; give a folder that can be written",
                             options.folder, error.message())};
  const std::string file = inFolder(options.folder, identityFile);
  if (!fs::exists(file, error)) {
    if (!fs::is_empty(options.folder, error))
      return Error{
          fmt::format("--db {}: a folder with other things in it; give "
                      "one of its own",
                      options.folder)};
    if (auto written = replaceText(file, identity.dump(2) + "\n"); !written)
      return written.error();
  } else if (Json::parse(readText(file), nullptr, false) != identity) {
    return Error{fmt::format("--db {}: holds another hunt (see {}); choose "
                             "another folder",
                             options.folder, file)};
  }
  if (auto recalled = hunt.recall(); !recalled)
    return recalled.error();
  return hunt;
}

struct Hunt::Optimizer {
  unsigned release;
  runner::Pipeline pipeline; ///< without passes
};

Result<Hunt::Optimizer> Hunt::findOptimizer(CampaignOptions &campaign) {
  if (campaign.releases.size() + campaign.builds.size() + campaign.opts.size() >
      1)
    return Error{"a hunt has one optimizer: give one --llvm or one --opt"};
  std::optional<ExternalOpt> opt;
  std::optional<OwnBuild> build;
  unsigned release = 0;
  if (!campaign.opts.empty()) {
    auto identified = identifyOpt(campaign.opts.front());
    if (!identified)
      return identified.error();
    opt = *identified;
    release = opt->release;
  } else if (!campaign.builds.empty()) {
    auto identified = identifyBuild(campaign.builds.front());
    if (!identified)
      return identified.error();
    build = std::move(identified->build);
    release = identified->release;
  } else if (!campaign.releases.empty()) {
    release = campaign.releases.front();
  } else {
    const auto installed = installedReleases();
    if (installed.empty())
      return findRelease(0).error();
    release = installed.back().release;
    campaign.releases = {release};
  }
  return Optimizer{release,
                   {"", campaign.triple, campaign.dataLayout, campaign.llvmArgs,
                    opt, build}};
}

Result<std::monostate> Hunt::takePipelines(const Optimizer &optimizer) {
  std::vector<std::string> passes = options_.campaign.passes;
  const bool isPortfolio = passes.empty();
  if (isPortfolio)
    for (const HuntPipeline &row : huntPipelines())
      passes.emplace_back(row.passes);
  if (hasTwice(passes))
    return Error{"give each pipeline once"};
  const auto installation = findWorker(optimizer.release, optimizer.pipeline);
  if (!installation)
    return installation.error();
  Worker worker(*installation);
  runner::Pipeline pipeline = optimizer.pipeline;
  for (const std::string &each : passes) {
    pipeline.passes = each;
    const auto answer = worker.describe(pipeline);
    const auto *died = std::get_if<WorkerDied>(&answer);
    const auto *info = std::get_if<Result<PipelineInfo>>(&answer);
    if (died == nullptr && *info) {
      pipelines_.push_back({each, {}, {}, {}});
      continue;
    }
    const std::string word =
        died != nullptr ? died->how : info->error().message;
    if (!isPortfolio)
      return Error{word};
    refused_.push_back(fmt::format("{}: {}", each, word));
  }
  return std::monostate();
}

Result<std::vector<Hunt::Space>> Hunt::takeSpaces(unsigned release) {
  const CampaignOptions &campaign = options_.campaign;
  std::vector<Space> spaces;
  const auto add = [&](const std::string &spec, std::uint8_t features,
                       std::uint64_t size, const std::string &dataLayout) {
    spaces.push_back({spec, features, size, dataLayout, std::nullopt, {}});
  };
  if (hasTwice(options_.spaces))
    return Error{"give each space once"};
  for (const std::string &spec : options_.spaces) {
    const auto space = enumerate::openSpace(spec, *reader_);
    if (!space)
      return space.error();
    if (const auto lack = (*space)->lackIn(release))
      return Error{*lack};
    add(spec, featuresOf(spec), positionsOf((*space)->count()),
        campaign.dataLayout);
  }
  for (const HuntSpace &row : huntSpaces()) {
    if (!options_.spaces.empty())
      break;
    if (const auto lack = enumerate::lackOf(row.spec, release))
      refused_.push_back(fmt::format("{}: {}", row.spec, *lack));
    else
      add(std::string(row.spec), featuresOf(row.spec),
          positionsOf(row.functions), dataLayoutOf(row, campaign.dataLayout));
  }
  if (!campaign.corpus.empty()) {
    const auto functions =
        readFileCorpus(campaign.corpus, *reader_, false, false);
    if (!functions)
      return functions.error();
    add("", unknown, functions->programs.size(), campaign.dataLayout);
  }
  return spaces;
}

Result<std::monostate> Hunt::makeArms() {
  options_.campaign.workers = std::make_shared<KnownWorkers>();
  options_.campaign.usual = std::make_shared<UsualCosts>();
  const auto optimizer = findOptimizer(options_.campaign);
  if (!optimizer)
    return optimizer.error();
  optimizer_ = optimizerName(optimizer->release, optimizer->pipeline);
  if (auto taken = takePipelines(*optimizer); !taken)
    return taken.error();
  std::pair<std::uint64_t, std::uint64_t> shard = {1, 1};
  if (!options_.shard.empty()) {
    const auto parsed = parseShard(options_.shard);
    if (!parsed)
      return parsed.error();
    shard = *parsed;
  }
  auto spaces = takeSpaces(optimizer->release);
  if (!spaces)
    return spaces.error();

  std::vector<double> weights;
  for (const Pipeline &pipeline : pipelines_)
    weights.push_back(pipelineRow(pipeline.passes).weight);
  std::vector<Arm> arms;
  std::uint64_t pairs = 0; ///< arms of all shards
  for (Space &space : *spaces) {
    // What somebody gives is theirs to choose.
    const auto wanted = static_cast<std::uint8_t>(
        options_.spaces.empty() ? space.features
                                : space.features & ~(patterns | twice | folds));
    for (std::size_t i = 0; i < pipelines_.size(); ++i) {
      const HuntPipeline row = pipelineRow(pipelines_[i].passes);
      if (!goTogether(row, wanted) || pairs++ % shard.second != shard.first - 1)
        continue;
      space.pipelines.push_back(i);
      const Cost cost = costOf(row, space.features, space.spec);
      arms.push_back({spaces_.size(), i, cost, space.size,
                      distance(row, space.features),
                      firstSlice(row, space.features, cost, space.size)});
      rows_.push_back(
          {space.spec.empty() ? std::string(corpusName) : space.spec,
           pipelines_[i].passes, 0, space.size, 0, 0, 0, 0, 0,
           space.dataLayout});
    }
    if (!space.pipelines.empty())
      spaces_.push_back(std::move(space));
  }
  if (pairs != 0 && arms.empty())
    return Error{fmt::format("--shard {}: there are only {} pairs of a space "
                             "and a pipeline",
                             options_.shard, pairs)};
  if (arms.empty())
    return Error{"no space goes with any of the pipelines; a loop pass needs a "
                 "space with `loops`"};
  scheduler_.emplace(std::move(arms), std::move(weights), options_.seed);
  return std::monostate();
}

/// What earlier runs decided and spent.
Result<std::monostate> Hunt::recall() {
  const Json spent = Json::parse(readText(inFolder(options_.folder, spentFile)),
                                 nullptr, false);
  const auto seconds = [&](const char *key) {
    const double value = spent.is_object() ? spent.value(key, 0.0) : 0.0;
    return duration_cast<Clock::duration>(std::chrono::duration<double>(value));
  };
  before_ = seconds("seconds");
  triaged_ = seconds("triage_seconds");
  recallFound();

  const std::string path = inFolder(options_.folder, decisionsFile);
  std::string text = readText(path);
  // A kill may have torn the last line.
  const std::size_t whole = text.rfind('\n');
  text.resize(whole == std::string::npos ? 0 : whole + 1);
  std::error_code error;
  if (fs::exists(path, error))
    fs::resize_file(path, text.size(), error);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const Json line =
        Json::parse(text.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    const auto decision = scheduler_->next();
    try {
      if (!decision || line.at("begin") != decision->begin ||
          line.at("end") != decision->end ||
          line.at("space") != rows_[decision->arm].space ||
          line.at("pipeline") != rows_[decision->arm].pipeline)
        return Error{fmt::format("{}: this irsieve decides otherwise; use the "
                                 "one that began the hunt, or another folder",
                                 path)};
      count(*decision, {line.at("rewrites"), line.at("findings"),
                        line.at("changed"), line.at("hangs")});
    } catch (const Json::exception &) {
      return Error{fmt::format("{}: not what a hunt wrote; choose another "
                               "folder",
                               path)};
    }
  }
  for (std::size_t arm = 0; arm < rows_.size(); ++arm)
    if (fs::exists(databaseOf(spaces_[scheduler_->arms()[arm].space]), error)) {
      const auto opened = campaignOf(scheduler_->arms()[arm].space);
      if (!opened)
        return opened.error();
      look(arm);
    }
  // Whether all of it was looked at is triage's to say.
  newFindings_ =
      std::any_of(spaces_.begin(), spaces_.end(),
                  [](const Space &s) { return s.campaign.has_value(); })
          ? 1
          : 0;
  isAllTriaged_ = newFindings_ == 0;
  return std::monostate();
}

/// A line that a kill has torn is one that triage writes again.
void Hunt::recallFound() {
  std::ifstream file(inFolder(options_.folder, foundFile));
  for (std::string text; std::getline(file, text);) {
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object() || !line.contains("bug") || !line.contains("seconds"))
      continue;
    found_.try_emplace(line.at("bug"),
                       std::chrono::seconds(line.at("seconds")));
    recalledRows_.insert(line.at(line.contains("root") ? "root" : "bug"));
  }
}

std::string Hunt::databaseOf(const Space &space) const {
  std::string name = space.spec.empty() ? std::string(corpusName) : space.spec;
  for (char &c : name)
    if (c == '/' || c == ':')
      c = '_';
  return inFolder(options_.folder, name.append(databaseSuffix));
}

Result<Campaign *> Hunt::campaignOf(std::size_t index) {
  Space &space = spaces_[index];
  if (!space.campaign) {
    CampaignOptions options = options_.campaign;
    options.database = databaseOf(space);
    options.dataLayout = space.dataLayout;
    options.passes.clear();
    for (const std::size_t pipeline : space.pipelines)
      options.passes.push_back(pipelines_[pipeline].passes);
    if (!space.spec.empty()) {
      options.corpus.clear();
      options.space = space.spec;
      if (space.size > smallSpace) {
        options.order = enumerate::orderOfFirstLook;
        options.first = space.size;
        options.seed = options_.seed;
      }
    }
    std::error_code error;
    fs::create_directories(options_.folder, error);
    auto campaign = Campaign::prepare(options, *reader_);
    if (!campaign)
      return campaign.error();
    space.campaign.emplace(std::move(*campaign));
  }
  return &*space.campaign;
}

std::vector<Hunt::Row> Hunt::rows() const { return rows_; }

Hunt::Clock::duration Hunt::elapsed() const {
  return before_ + (Clock::now() - started_);
}

std::chrono::seconds Hunt::spent() const {
  return duration_cast<std::chrono::seconds>(elapsed());
}

/// Whether the budget, but for a part, is spent.
bool Hunt::isOver(Clock::duration part) const {
  return options_.budget && elapsed() + part >= *options_.budget;
}

void Hunt::saveSpent() {
  saved_ = Clock::now();
  const auto seconds = [](Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
  };
  // What cannot be written costs a later run some of its budget, no more.
  (void)replaceText(inFolder(options_.folder, spentFile),
                    Json({{"ended", isEnded_},
                          {"seconds", seconds(elapsed())},
                          {"triage_seconds", seconds(triaged_)}})
                            .dump() +
                        "\n");
}

Result<Campaign::End> Hunt::run(Progress::Style style, const HuntHooks &hooks) {
  const auto partOf = [&](double part) {
    return options_.budget
               ? duration_cast<Clock::duration>(
                     part * std::chrono::duration<double>(*options_.budget))
               : Clock::duration::zero();
  };
  const Clock::duration forPage = partOf(reserve);
  // What of triage's share is left, while there is something to look at.
  const auto forTriage = [&] {
    return isAllTriaged_ ? Clock::duration::zero()
                         : std::max(partOf(options_.triageShare) - triaged_,
                                    Clock::duration::zero());
  };
  const auto stop = [&] {
    if (Clock::now() - saved_ >= saveEvery)
      saveSpent();
    return hooks.interrupted() || isOver(forPage + forTriage());
  };
  for (;;) {
    auto end = explore(style, hooks, stop);
    saveSpent();
    if (!end)
      return end;
    if (!isAllTriaged_ && !hooks.interrupted() && !isOver(forPage))
      if (auto done =
              triage(style, hooks, Wanted::all,
                     options_.budget ? *options_.budget - forPage - elapsed()
                                     : Clock::duration::max());
          !done)
        return done.error();
    const bool isAll = *end == Campaign::End::finished && isAllTriaged_;
    const bool isInterrupted = hooks.interrupted();
    const bool isEnd = isAll || isOver(forPage) || !isAllTriaged_;
    isEnded_ = isEnd && !isInterrupted;
    saveSpent();
    if (style == Progress::Style::json && isEnded_) {
      Json line = toJson();
      line["ended"] = true;
      hooks.say(line.dump());
    }
    if (isEnd || isInterrupted)
      return isAll && !isInterrupted ? Campaign::End::finished
                                     : Campaign::End::stopped;
    // Triage left some of its share.
  }
}

Result<Campaign::End> Hunt::explore(Progress::Style style,
                                    const HuntHooks &hooks,
                                    const std::function<bool()> &stop) {
  for (;;) {
    const auto decision = scheduler_->next();
    if (!decision ||
        (options_.mostDecisions != 0 && decisions_ >= options_.mostDecisions))
      return Campaign::End::finished;
    if (stop())
      return Campaign::End::stopped;
    // Triage gets its share of what is spent, once that is worth while.
    constexpr std::chrono::seconds worthWhile(5);
    const Clock::duration due =
        duration_cast<Clock::duration>(elapsed() * options_.triageShare);
    if (newFindings_ != 0 && triaged_ + worthWhile < due) {
      if (auto done =
              triage(style, hooks, Wanted::news,
                     std::min<Clock::duration>(due - triaged_, longestTriage));
          !done)
        return done.error();
      continue;
    }
    show(style, hooks, *decision);
    auto end = carryOut(*decision, stop);
    if (!end)
      return end;
    look(decision->arm);
    const Reward reward = rewardOf(decision->arm);
    newFindings_ += reward.findings;
    isAllTriaged_ = isAllTriaged_ && reward.findings == 0;
    if (*end != Campaign::End::finished)
      return end;
    if (auto recorded = record(*decision, reward); !recorded)
      return recorded.error();
    count(*decision, reward);
    if (auto done = certify(scheduler_->arms()[decision->arm].space); !done)
      return done.error();
  }
}

Result<Campaign::End> Hunt::carryOut(const Decision &decision,
                                     const std::function<bool()> &stop) {
  const Arm &arm = scheduler_->arms()[decision.arm];
  auto campaign = campaignOf(arm.space);
  if (!campaign)
    return campaign.error();
  (*campaign)->lookOnlyAt({{decision.begin, decision.end}});
  (*campaign)->lookOnlyThrough(laneOf(decision.arm).second);
  Progress silent(Progress::Style::off);
  return (*campaign)->run(silent, stop);
}

/// Requires that the campaign of its space is open.
std::pair<Campaign *, std::size_t> Hunt::laneOf(std::size_t arm) {
  const Arm &which = scheduler_->arms()[arm];
  Space &space = spaces_[which.space];
  const auto lane =
      std::find(space.pipelines.begin(), space.pipelines.end(), which.pipeline);
  return {&*space.campaign,
          static_cast<std::size_t>(lane - space.pipelines.begin())};
}

/// Takes up what an arm's lane shows by now.
void Hunt::look(std::size_t arm) {
  const std::size_t which = scheduler_->arms()[arm].pipeline;
  const auto [campaign, lane] = laneOf(arm);
  const corpus::Store &store = campaign->store();
  pipelines_[which].rewrites.set(arm, store.rewriteHashes(lane));
  std::vector<std::uint64_t> findings;
  for (const auto &bucket : store.buckets(lane))
    findings.push_back(hashOf(bucket.bucket));
  pipelines_[which].findings.set(arm, std::move(findings));
}

Reward Hunt::rewardOf(std::size_t arm) {
  const Pipeline &pipeline = pipelines_[scheduler_->arms()[arm].pipeline];
  const auto [campaign, lane] = laneOf(arm);
  const std::uint64_t changed =
      campaign->store().tally(lane, 0)[corpus::Counter::changed];
  // Of what does both it is chance which is seen first.
  std::uint64_t hangs = 0;
  for (const auto &bucket : campaign->store().buckets(lane))
    if (isDear(bucket.bucket))
      hangs += bucket.count;
  const auto above = [](std::uint64_t now, std::uint64_t before) {
    return now > before ? now - before : 0;
  };
  return {above(pipeline.rewrites.size(), pipeline.total.rewrites),
          above(pipeline.findings.size(), pipeline.total.findings),
          above(changed, rows_[arm].changed), above(hangs, rows_[arm].hangs)};
}

Result<std::monostate> Hunt::record(const Decision &decision,
                                    const Reward &reward) {
  const std::string path = inFolder(options_.folder, decisionsFile);
  const Json line = {{"decision", decisions_},
                     {"space", rows_[decision.arm].space},
                     {"pipeline", rows_[decision.arm].pipeline},
                     {"begin", decision.begin},
                     {"end", decision.end},
                     {"rewrites", reward.rewrites},
                     {"findings", reward.findings},
                     {"changed", reward.changed},
                     {"hangs", reward.hangs}};
  std::ofstream file(path, std::ios::app);
  file << line.dump() << '\n';
  file.close();
  if (!file)
    return Error{fmt::format("{}: cannot be written", path)};
  return std::monostate();
}

void Hunt::count(const Decision &decision, const Reward &reward) {
  scheduler_->reward(decision, reward);
  ++decisions_;
  Row &row = rows_[decision.arm];
  row.done = decision.end;
  ++row.slices;
  row.rewrites += reward.rewrites;
  row.findings += reward.findings;
  row.changed += reward.changed;
  row.hangs += reward.hangs;
  Reward &total = pipelines_[scheduler_->arms()[decision.arm].pipeline].total;
  total.rewrites += reward.rewrites;
  total.findings += reward.findings;
}

/// A space of which every pipeline has seen all gets its certificate.
Result<std::monostate> Hunt::certify(std::size_t index) {
  Campaign &campaign = *spaces_[index].campaign;
  const auto whole = std::vector{campaign.identity().selection.window()};
  for (std::size_t lane = 0; lane < spaces_[index].pipelines.size(); ++lane)
    if (campaign.store().done(lane) != whole)
      return std::monostate();
  return campaign.store().saveCertificate(
      toText(certificateOf(campaign.identity(), campaign.store())));
}

Result<std::monostate> Hunt::triage(Progress::Style style,
                                    const HuntHooks &hooks, Wanted wanted,
                                    Clock::duration longest) {
  std::vector<corpus::Store *> stores;
  for (Space &space : spaces_)
    if (space.campaign)
      stores.push_back(&space.campaign->store());
  const Clock::time_point began = Clock::now();
  const auto stop = [&] {
    if (Clock::now() - saved_ >= saveEvery)
      saveSpent();
    return hooks.interrupted() || Clock::now() - began >= longest;
  };
  const auto bugs = hooks.triage(stores, wanted, stop);
  triaged_ += Clock::now() - began;
  if (!bugs)
    return bugs.error();
  if (auto announced = announce(*bugs, style, hooks); !announced)
    return announced.error();
  bugs_ = *bugs;
  if (bugs_.isDone)
    newFindings_ = 0;
  isAllTriaged_ = bugs_.isDone && wanted == Wanted::all;
  return std::monostate();
}

Result<std::monostate> Hunt::announce(const HuntBugs &bugs,
                                      Progress::Style style,
                                      const HuntHooks &hooks) {
  std::set<std::string> old; // roots
  for (const auto &[id, root] : bugs.roots)
    if (found_.count(id) != 0)
      old.insert(root);
  for (const auto &[root, line] : bugs.lines)
    if (old.count(root) == 0)
      hooks.say(
          style == Progress::Style::json
              ? Json({{"seconds", spent().count()}, {"found", root}}).dump()
              : fmt::format("{}: found {}", durationText(spent()), line));
  const std::string path = inFolder(options_.folder, foundFile);
  std::ofstream file(path, std::ios::app);
  for (const auto &[id, root] : bugs.roots)
    if (found_.try_emplace(id, spent()).second)
      file << Json({{"bug", id}, {"root", root}, {"seconds", spent().count()}})
                  .dump()
           << '\n';
  file.flush();
  if (!file)
    return Error{fmt::format("{}: cannot be written", path)};
  return std::monostate();
}

Reward Hunt::total() const {
  Reward all;
  for (const Pipeline &pipeline : pipelines_) {
    all.rewrites += pipeline.total.rewrites;
    all.findings += pipeline.total.findings;
  }
  return all;
}

Json Hunt::toJson() const {
  return {{"seconds", spent().count()},
          {"rewrites", total().rewrites},
          {"kinds_of_findings", total().findings},
          {"bugs", rowsSoFar()}};
}

void Hunt::show(Progress::Style style, const HuntHooks &hooks,
                const Decision &decision) {
  if (style == Progress::Style::off)
    return;
  const auto now = Clock::now();
  const bool isTerminal = ::isatty(STDERR_FILENO) != 0;
  const auto pause = style == Progress::Style::json
                         ? std::chrono::seconds(1)
                         : std::chrono::seconds(isTerminal ? 5 : 60);
  if (decisions_ != 0 && now - shown_ < pause)
    return;
  shown_ = now;
  const Reward all = total();
  const Row &row = rows_[decision.arm];
  if (style == Progress::Style::json) {
    Json line = toJson();
    line.update({{"pipeline", row.pipeline},
                 {"space", row.space},
                 {"begin", decision.begin},
                 {"end", decision.end}});
    return hooks.say(line.dump());
  }
  const std::size_t bugs = rowsSoFar();
  hooks.say(fmt::format(
      "{}{}: {} over {} from {}; {} rewrites, {} kinds of findings, {} {} so "
      "far",
      durationText(spent()),
      options_.budget ? " of " + durationText(*options_.budget) : "",
      row.pipeline, row.space, decision.begin, all.rewrites, all.findings, bugs,
      bugs == 1 ? "bug" : "bugs"));
}

} // namespace runner
