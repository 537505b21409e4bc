// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/campaign.h"

#include "corpus/program/encode.h"
#include "runner/external_opt.h"
#include "runner/own_build.h"
#include "runner/supervisor.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <thread>

namespace runner {
namespace {

using corpus::Counter;
using corpus::Error;
using corpus::Result;

const std::monostate good;
/// The space of functions of files.
constexpr std::string_view corpusSpec = "corpus";

/// Parses "A<separator>B" of two unsigned numbers.
std::optional<std::pair<std::uint64_t, std::uint64_t>>
parsePair(std::string_view text, char separator) {
  const std::size_t middle = text.find(separator);
  if (middle == std::string_view::npos)
    return std::nullopt;
  const auto first = corpus::parseRank(text.substr(0, middle));
  const auto second = corpus::parseRank(text.substr(middle + 1));
  if (!first || !second)
    return std::nullopt;
  return std::pair(*first, *second);
}

bool isFromFile(const CampaignOptions &options) {
  return std::find(options.passes.begin(), options.passes.end(),
                   passesFromFile) != options.passes.end();
}

/// What of `range` is not in the disjoint, ascending `done`.
std::vector<corpus::PositionRange>
without(corpus::PositionRange range,
        const std::vector<corpus::PositionRange> &done) {
  std::vector<corpus::PositionRange> left;
  for (const corpus::PositionRange &gone : done) {
    if (range.begin < std::min(gone.begin, range.end))
      left.push_back({range.begin, std::min(gone.begin, range.end)});
    range.begin = std::max(range.begin, gone.end);
  }
  if (range.begin < range.end)
    left.push_back(range);
  return left;
}

} // namespace

Result<std::pair<std::uint64_t, std::uint64_t>>
parseShard(const std::string &text) {
  const auto shard = parsePair(text, '/');
  if (!shard || shard->first < 1 || shard->first > shard->second)
    return Error{fmt::format("--shard {}: want i/n with 1 <= i <= n", text)};
  return *shard;
}

std::uint64_t totalSize(const std::vector<corpus::PositionRange> &ranges) {
  std::uint64_t size = 0;
  for (const corpus::PositionRange &range : ranges)
    size += range.end - range.begin;
  return size;
}

std::vector<corpus::PositionRange>
intersection(const std::vector<corpus::PositionRange> &a,
             const std::vector<corpus::PositionRange> &b) {
  std::vector<corpus::PositionRange> both;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const corpus::PositionRange range = {std::max(i->begin, j->begin),
                                         std::min(i->end, j->end)};
    if (range.begin < range.end)
      both.push_back(range);
    ++(i->end < j->end ? i : j);
  }
  return both;
}

Json CampaignIdentity::toJson() const {
  Json json = {{"space", space},         {"corpus", corpusDigest},
               {"order", orderVersion},  {"selection", selection.toJson()},
               {"semantics", semantics}, {"keep", keep},
               {"lanes", Json::array()}};
  if (checkEach)
    json["check_each"] = true;
  for (const LaneIdentity &lane : lanes) {
    json["lanes"].push_back(
        {{"llvm", lane.release}, {"pipeline", lane.pipeline}});
    for (const corpus::PositionRange &range : lane.positions)
      json["lanes"].back()["positions"].push_back({range.begin, range.end});
  }
  return json;
}

Result<CampaignIdentity> CampaignIdentity::fromJson(const Json &json) {
  const Error nonsense = {"does not say what its campaign was"};
  try {
    CampaignIdentity identity;
    json.at("space").get_to(identity.space);
    json.at("corpus").get_to(identity.corpusDigest);
    json.at("order").get_to(identity.orderVersion);
    json.at("semantics").get_to(identity.semantics);
    json.at("keep").get_to(identity.keep);
    identity.checkEach = json.value("check_each", false);
    for (const Json &lane : json.at("lanes")) {
      identity.lanes.push_back(
          {lane.at("llvm"), lane.at("pipeline").get<Pipeline>()});
      for (const Json &range : lane.value("positions", Json::array()))
        identity.lanes.back().positions.push_back({range.at(0), range.at(1)});
    }
    const auto selection = Selection::fromJson(json.at("selection"));
    if (!selection)
      return nonsense;
    identity.selection = *selection;
    return identity;
  } catch (const Json::exception &) {
    return nonsense;
  }
}

Result<CampaignIdentity> CampaignIdentity::fromText(const std::string &text) {
  auto identity = fromJson(Json::parse(text, nullptr, false));
  if (!identity)
    return Error{"the database " + identity.error().message};
  return identity;
}

bool CampaignIdentity::isOfFiles() const { return space == corpusSpec; }

bool CampaignIdentity::isByFile() const {
  return std::any_of(lanes.begin(), lanes.end(), [](const LaneIdentity &lane) {
    return !lane.positions.empty();
  });
}

std::vector<corpus::PositionRange>
CampaignIdentity::positionsOf(std::size_t lane) const {
  const std::vector window = {selection.window()};
  return lanes[lane].positions.empty()
             ? window
             : intersection(lanes[lane].positions, window);
}

CampaignOptions optionsOf(const CampaignIdentity &identity,
                          CampaignOptions others) {
  CampaignOptions options = std::move(others);
  options.space = identity.isOfFiles() ? "" : identity.space;
  options.passes.clear();
  if (identity.isByFile()) {
    options.passes.emplace_back(passesFromFile);
  } else if (!identity.lanes.empty()) {
    for (const auto &lane : identity.lanes)
      if (std::find(options.passes.begin(), options.passes.end(),
                    lane.pipeline.passes) == options.passes.end())
        options.passes.push_back(lane.pipeline.passes);
    const Pipeline &pipeline = identity.lanes.front().pipeline;
    options.triple = pipeline.triple;
    options.dataLayout = pipeline.dataLayout;
    options.llvmArgs = pipeline.llvmArgs;
  }
  options.semantics = identity.semantics;
  options.selection = identity.selection;
  options.keep = identity.keep;
  options.checkEach = identity.checkEach;
  return options;
}

std::optional<Error> otherFunctions(const std::string &owner,
                                    const CampaignIdentity &then,
                                    const CampaignIdentity &now) {
  if (then.orderVersion != now.orderVersion)
    return Error{fmt::format("{} numbers functions by order {}, this irsieve "
                             "by order {}; use that one",
                             owner, then.orderVersion, now.orderVersion)};
  if (then.corpusDigest != now.corpusDigest)
    return Error{fmt::format("these are not the functions of {}", owner)};
  return std::nullopt;
}

Result<Campaign> Campaign::prepare(const CampaignOptions &options,
                                   corpus::ProgramReader &reader) {
  Campaign campaign;
  campaign.options_ = options;
  if (!campaign.options_.workers)
    campaign.options_.workers = std::make_shared<KnownWorkers>();
  campaign.identity_.keep = options.keep;
  campaign.identity_.checkEach = options.checkEach;
  for (const std::string &text : options.semantics) {
    const auto list = checker::parseSemanticsList(text);
    if (!list)
      return list.error();
    for (const checker::Semantics &semantics : *list) {
      campaign.order_.columns.push_back(semantics);
      campaign.identity_.semantics.push_back(checker::toString(semantics));
    }
  }
  if (const auto made = campaign.makeSpace(options, reader); !made)
    return made.error();
  if (const auto selected = campaign.select(options); !selected)
    return selected.error();
  if (const auto made = campaign.makeLanes(options); !made)
    return made.error();

  WorkOrder &order = campaign.order_;
  order.keep = options.keep;
  order.checkEach = options.checkEach;
  if (options.chunkSize != 0)
    order.chunkSize = options.chunkSize;
  else if (!options.opts.empty())
    order.chunkSize = chunkSizeOfOpt;
  // People's functions may take a solver each.
  constexpr std::uint64_t fewFunctions = 32;
  if (campaign.identity_.isOfFiles())
    order.chunkSize = std::min(order.chunkSize, fewFunctions);
  order.functionLimit = options.functionLimit;
  order.memoBytes = options.memoMebibytes << 20;
  order.threads = options.threads != 0
                      ? options.threads
                      : std::max(1U, std::thread::hardware_concurrency());
  order.threads =
      std::min(order.threads, static_cast<unsigned>(maximumThreads));

  auto store = corpus::Store::openOrCreate(
      options.database, campaign.identity_.toText(), campaign.lanes_);
  if (!store)
    return store.error();
  campaign.store_ = std::move(*store);
  return campaign;
}

Result<std::monostate> Campaign::makeSpace(const CampaignOptions &options,
                                           corpus::ProgramReader &reader) {
  if (options.space.empty() == options.corpus.empty())
    return Error{"give either a space (`irsieve run i2x2 ...`) or --corpus"};
  if (!options.corpus.empty())
    return readCorpus(options, options.corpus, reader);
  const auto file = enumerate::parseFileSpec(options.space);
  if (!file)
    return file.error();
  if (*file && (*file)->edits == 0)
    return readCorpus(options, {(*file)->path}, reader);
  if (*file) {
    auto bases = enumerate::readBases((*file)->path, reader);
    if (!bases)
      return bases.error();
    return takeFunctions(options.space, std::move(*bases));
  }
  auto space = enumerate::parseSpace(options.space);
  if (space && !(*space)->symmetry()) {
    const bool hasModifiers = options.space.find(':') != std::string::npos;
    space = enumerate::parseSpace(fmt::format(
        "{}{}symmetry=full", options.space, hasModifiers ? "," : ":"));
  }
  if (!space)
    return space.error();
  space_ = std::move(*space);
  identity_.space = space_->spec();
  order_.space = space_->spec();
  return good;
}

Result<std::monostate>
Campaign::readCorpus(const CampaignOptions &options,
                     const std::vector<std::string> &arguments,
                     corpus::ProgramReader &reader) {
  const bool byFile = isFromFile(options);
  auto read =
      readFileCorpus(arguments, reader, byFile, options.failOnUnreadable);
  if (!read)
    return read.error();
  corpusReport_ = std::move(read->report);
  groups_ = std::move(read->groups);
  return takeFunctions(std::string(corpusSpec), std::move(read->programs));
}

/// Makes a space of functions that the worker cannot enumerate by itself.
Result<std::monostate>
Campaign::takeFunctions(const std::string &spec,
                        std::vector<enumerate::NamedProgram> functions) {
  corpus::Bytes all;
  for (const enumerate::NamedProgram &function : functions) {
    order_.programs.push_back(corpus::encode(function.program));
    order_.names.push_back(function.name);
    all.insert(all.end(), function.name.begin(), function.name.end());
    all.insert(all.end(), order_.programs.back().begin(),
               order_.programs.back().end());
  }
  auto space = enumerate::makeFileSpace(spec, std::move(functions));
  if (!space)
    return space.error();
  space_ = std::move(*space);
  identity_.space = space_->spec();
  identity_.corpusDigest = corpus::toString(corpus::digestOf(all));
  order_.space = space_->spec();
  return good;
}

Result<std::monostate> Campaign::select(const CampaignOptions &options) {
  const Rank size = space_->count();
  if (!options.range.empty() && options.sample != 0)
    return Error{"--range and --sample exclude each other"};
  if (options.order.empty() != (options.first == 0))
    return Error{"--order and --first go together: --order strata --first "
                 "1000000"};
  if (!options.order.empty() && (!options.range.empty() || options.sample != 0))
    return Error{"--order excludes --range and --sample"};
  Rank begin = 0;
  Rank end = size;
  if (!options.range.empty()) {
    const auto range = parsePair(options.range, ':');
    if (!range || range->first >= range->second || range->second > size)
      return Error{fmt::format("--range {}: want A:B with A < B <= {}, the "
                               "size of {}",
                               options.range, size, space_->spec())};
    begin = range->first;
    end = range->second;
  }
  Selection selection;
  if (options.selection) {
    selection = *options.selection;
    const std::uint64_t last = selection.whole().size();
    if (!selection.bind(*space_) ||
        (last != 0 && selection.rank(last - 1) >= size))
      return Error{fmt::format("{} has {} functions; the selection goes beyond",
                               space_->spec(), size)};
  } else if (options.sample != 0) {
    selection = Selection::sample(size, options.sample, options.seed);
  } else if (!options.order.empty()) {
    const auto *order = enumerate::findOrder(options.order);
    if (order == nullptr)
      return Error{fmt::format("--order {}: there is {}", options.order,
                               enumerate::orderNames())};
    selection =
        Selection::inOrder(*space_, *order, options.seed, options.first);
  } else if (end - begin > Selection::mostPositions) {
    return Error{fmt::format("{} functions are more than a campaign can number "
                             "({}): take --order, --sample or --range",
                             end - begin, Selection::mostPositions)};
  } else {
    selection = Selection::range(begin, end);
  }
  if (!options.shard.empty()) {
    const auto shard = parseShard(options.shard);
    if (!shard)
      return shard.error();
    selection = selection.shard(shard->first, shard->second);
  }
  identity_.selection = selection;
  order_.selection = std::move(selection);
  return good;
}

/// The pipelines that every optimizer shall run, and on what.
Result<std::vector<CampaignIdentity::LaneIdentity>>
Campaign::wantedLanes(const CampaignOptions &options) const {
  if (options.passes.empty())
    return Error{"give at least one --passes=PIPELINE, as opt takes it"};
  std::vector<CampaignIdentity::LaneIdentity> lanes;
  const Pipeline usual = {"", options.triple, options.dataLayout,
                          options.llvmArgs};
  if (!isFromFile(options)) {
    for (const std::string &passes : options.passes) {
      lanes.push_back({0, usual});
      lanes.back().pipeline.passes = passes;
    }
    return lanes;
  }
  if (options.passes.size() != 1 || !identity_.isOfFiles() ||
      !options.range.empty() || options.sample != 0)
    return Error{fmt::format("--passes={} takes all functions of a --corpus "
                             "and stands alone",
                             passesFromFile)};
  for (const FileCorpus::Group &group : groups_) {
    Pipeline pipeline = group.pipeline;
    if (pipeline.triple.empty())
      pipeline.triple = usual.triple;
    if (pipeline.dataLayout.empty())
      pipeline.dataLayout = usual.dataLayout;
    pipeline.llvmArgs.insert(pipeline.llvmArgs.begin(), usual.llvmArgs.begin(),
                             usual.llvmArgs.end());
    lanes.push_back({0, std::move(pipeline), group.functions});
  }
  return lanes;
}

Result<std::monostate> Campaign::makeLanes(const CampaignOptions &options) {
  auto wanted = wantedLanes(options);
  if (!wanted)
    return wanted.error();
  struct Side {
    unsigned release;
    std::optional<ExternalOpt> opt = std::nullopt;
    std::optional<OwnBuild> build = std::nullopt;
    std::vector<Result<corpus::Lane>> lanes = {}; ///< of each that is wanted

    void putInto(Pipeline &pipeline) const {
      pipeline.opt = opt;
      pipeline.build = build;
    }
  };
  std::vector<Side> sides;
  for (const unsigned release : options.releases)
    sides.push_back({release});
  if (options.releases.empty() && options.builds.empty() &&
      options.opts.empty()) {
    const auto installed = installedReleases();
    if (installed.empty())
      return findRelease(0).error();
    sides.push_back({installed.back().release});
  }
  for (const std::string &name : options.builds) {
    auto build = identifyBuild(name);
    if (!build)
      return build.error();
    sides.push_back({build->release, std::nullopt, std::move(build->build)});
  }
  for (const std::string &path : options.opts) {
    auto opt = identifyOpt(path);
    if (!opt)
      return opt.error();
    sides.push_back({opt->release, *opt});
  }

  std::vector<bool> isRefused(wanted->size());
  for (Side &side : sides) {
    for (auto &lane : *wanted)
      side.putInto(lane.pipeline);
    auto described = describe(side.release, *wanted);
    if (!described)
      return described.error();
    auto &lanes = side.lanes = std::move(*described);
    for (std::size_t i = 0; i < lanes.size(); ++i)
      if (!lanes[i] && wanted->at(i).positions.empty())
        return lanes[i].error();
      else
        isRefused[i] = isRefused[i] || !lanes[i];
  }
  for (Side &side : sides)
    for (std::size_t i = 0; i < side.lanes.size(); ++i) {
      auto &lanes = side.lanes;
      auto &lane = wanted->at(i);
      if (!lanes[i])
        leaveOut(lane, lanes[i].error().message);
      if (!lanes[i] || (options.commonPipelines && isRefused[i]))
        continue;
      lane.release = side.release;
      side.putInto(lane.pipeline);
      identity_.lanes.push_back(lane);
      lanes_.push_back(std::move(*lanes[i]));
    }
  if (lanes_.empty())
    return Error{fmt::format("no pipeline of the files can be run; {}: {}",
                             corpusReport_.notRun.back().name,
                             corpusReport_.notRun.back().reason)};
  return good;
}

/// Asks the optimizer of that release, or the wanted lanes' build or opt, what
/// it makes of each pipeline.
Result<std::vector<Result<corpus::Lane>>> Campaign::describe(
    unsigned release,
    const std::vector<CampaignIdentity::LaneIdentity> &wanted) const {
  const std::optional<ExternalOpt> &opt = wanted.front().pipeline.opt;
  KnownWorkers &known = *options_.workers;
  auto installation = known.find(release, wanted.front().pipeline);
  if (!installation)
    return installation.error();
  // A worker says which functions of files it cannot take, one by one.
  if (opt || !identity_.isOfFiles())
    if (const auto lack = space_->lackIn(release))
      return Error{*lack};
  std::optional<Worker> worker;
  const std::vector<std::string> *arguments = nullptr; // of the worker
  std::vector<Result<corpus::Lane>> lanes;
  for (const auto &[ignored, pipeline, positions] : wanted) {
    if (const corpus::Lane *lane = known.lane(release, pipeline)) {
      lanes.emplace_back(*lane);
      continue;
    }
    installation = known.find(release, pipeline);
    if (!installation)
      return installation.error();
    if (opt || arguments == nullptr || *arguments != pipeline.llvmArgs)
      worker.emplace(*installation);
    arguments = &pipeline.llvmArgs;
    const auto build = worker->build();
    if (const auto *died = std::get_if<WorkerDied>(&build))
      return Error{fmt::format("{} does not start ({}); rebuild it",
                               worker->installation().path, died->how)};
    const auto answer = worker->describe(pipeline);
    if (const auto *died = std::get_if<WorkerDied>(&answer)) {
      lanes.emplace_back(
          Error{fmt::format("LLVM {} dies on --passes={} ({})", release,
                            pipeline.passes, died->how)});
      continue;
    }
    const auto &info = std::get<Result<PipelineInfo>>(answer);
    if (!info) {
      lanes.emplace_back(info.error());
      continue;
    }
    const corpus::Lane lane = {
        release, opt ? opt->version : std::get<BuildInfo>(build).version,
        pipeline.passes, info->asRun, info->expanded};
    known.note(release, pipeline, lane);
    lanes.emplace_back(lane);
  }
  return lanes;
}

/// Notes the functions that a lane would have been for.
void Campaign::leaveOut(const CampaignIdentity::LaneIdentity &lane,
                        const std::string &reason) {
  for (const corpus::PositionRange &range : lane.positions)
    for (std::uint64_t i = range.begin; i < range.end; ++i)
      corpusReport_.notRun.push_back({space_->nameOf(i), reason});
}

Result<Campaign::End> Campaign::run(Progress &progress,
                                    const std::function<bool()> &interrupted) {
  const auto started = std::chrono::steady_clock::now();
  const auto shouldStop = [&] {
    return interrupted() ||
           (options_.budget &&
            std::chrono::steady_clock::now() - started >= *options_.budget);
  };
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lane != onlyLane_.value_or(lane))
      continue;
    auto end = runLane(lane, progress, shouldStop);
    if (!end || *end == End::stopped)
      return end;
  }
  return End::finished;
}

Result<Campaign::End>
Campaign::runLane(std::size_t lane, Progress &progress,
                  const std::function<bool()> &shouldStop) {
  order_.pipeline = identity_.lanes[lane].pipeline;
  auto wanted = identity_.positionsOf(lane);
  if (only_)
    wanted = intersection(wanted, *only_);
  order_.ranges.clear();
  for (const corpus::PositionRange &range : wanted)
    if (order_.outputsOnly)
      order_.ranges.push_back(range);
    else
      for (const corpus::PositionRange &left :
           without(range, store_->done(lane)))
        order_.ranges.push_back(left);
  if (order_.ranges.empty())
    return End::finished;
  const auto installation =
      options_.workers->find(lanes_[lane].release, order_.pipeline);
  if (!installation)
    return installation.error();

  const std::uint64_t total = totalSize(wanted);
  std::uint64_t done = total - totalSize(order_.ranges);
  std::uint64_t changed = 0;
  std::uint64_t findings = 0;
  const bool isStarted = order_.pipeline.opt && !installation->isInPlaceOfOpt;
  progress.begin(
      fmt::format(
          "{}{} {}", optimizerName(lanes_[lane].release, order_.pipeline),
          isStarted ? " (started for each batch)" : "", lanes_[lane].passes),
      total, done);
  const auto commit =
      [&](const corpus::ChunkResult &chunk) -> Result<std::monostate> {
    done += chunk.end - chunk.begin;
    changed += chunk.tallies.front()[Counter::changed];
    for (const auto &bucket : chunk.buckets)
      findings += bucket.count;
    progress.update(done, changed, findings);
    if (observer_)
      observer_(lane, chunk.outcomes);
    if (order_.outputsOnly)
      return std::monostate();
    return store_->commit(lane, chunk, options_.keep,
                          order_.selection.partOf(chunk.begin));
  };
  Supervisor supervisor(*installation, options_.workers->waiting(), *space_,
                        options_.functionLimit,
                        options_.usual != nullptr
                            ? &(*options_.usual)[lanes_[lane].passes]
                            : nullptr,
                        {commit, shouldStop});
  const auto end = supervisor.run(order_);
  progress.end();
  if (!end)
    return end.error();
  return *end == Supervisor::End::finished ? End::finished : End::stopped;
}

} // namespace runner
