// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/protocol.h"

#include "enumerate/space.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace runner {
namespace {

/// Of JSON.
constexpr Rank largestNumber = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t mostParts = 256;
/// Positions of a part: a chunk never reaches into the next one.
constexpr std::uint64_t smallestPart = 1U << 16;

Json numbers(const std::vector<std::uint64_t> &values) {
  corpus::Bytes bytes(values.size() * sizeof(std::uint64_t));
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return Json::binary(std::move(bytes));
}
std::vector<std::uint64_t> numbersFrom(const Json &json) {
  const corpus::Bytes &bytes = json.get_binary();
  std::vector<std::uint64_t> values(bytes.size() / sizeof(std::uint64_t));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
Json binary(const corpus::Bytes &bytes) { return Json::binary(bytes); }
corpus::Bytes bytesFrom(const Json &json) { return json.get_binary(); }

/// Where the i-th of n equal slices of `size` begins.
std::uint64_t cut(std::uint64_t size, std::uint64_t i, std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(size) * i /
                                    n);
}

} // namespace

Selection Selection::range(Rank begin, Rank end) {
  assert(begin <= end && end - begin <= mostPositions);
  Selection selection;
  selection.begin_ = begin;
  selection.count_ = static_cast<std::uint64_t>(end - begin);
  selection.window_ = {0, selection.count_};
  selection.origin_ = {{"begin", runner::toJson(begin)},
                       {"end", runner::toJson(end)}};
  return selection;
}

Selection Selection::sample(Rank size, std::uint64_t count,
                            std::uint64_t seed) {
  if (count >= size)
    return range(0, size);
  Selection selection;
  selection.ranks_ = enumerate::sampleRanks(size, count, seed);
  selection.count_ = selection.ranks_.size();
  selection.window_ = {0, selection.count_};
  selection.origin_ = {
      {"size", runner::toJson(size)}, {"sample", count}, {"seed", seed}};
  return selection;
}

Selection Selection::inOrder(const enumerate::Space &space,
                             const enumerate::OrderInfo &order,
                             std::uint64_t seed, std::uint64_t count) {
  Selection selection = inOrder(space.count(), order, seed, count);
  selection.bind(space);
  return selection;
}

Selection Selection::inOrder(Rank size, const enumerate::OrderInfo &order,
                             std::uint64_t seed, std::uint64_t count) {
  Selection selection;
  selection.info_ = &order;
  selection.seed_ = seed;
  selection.size_ = size;
  selection.count_ = static_cast<std::uint64_t>(std::min(size, Rank(count)));
  selection.window_ = {0, selection.count_};
  selection.origin_ = {{"size", runner::toJson(size)},
                       {"order", order.name},
                       {"seed", seed},
                       {"first", selection.count_}};
  return selection;
}

bool Selection::bind(const enumerate::Space &space) {
  if (info_ == nullptr)
    return true;
  if (space.count() != size_)
    return false;
  order_ = info_->make(space, seed_);
  return true;
}

Selection Selection::shard(std::uint64_t i, std::uint64_t n) const {
  assert(i >= 1 && i <= n && !origin_.contains("shard"));
  Selection slice = *this;
  slice.window_ = {cut(count_, i - 1, n), cut(count_, i, n)};
  slice.origin_["shard"] = {i, n};
  return slice;
}

Selection Selection::whole() const {
  Selection all = *this;
  all.window_ = {0, count_};
  all.origin_.erase("shard");
  return all;
}

Rank Selection::rank(std::uint64_t position) const {
  assert(position < count_);
  if (info_ != nullptr) {
    assert(order_ && "bind() comes first");
    return order_->at(position);
  }
  return isContiguous() ? begin_ + position : ranks_[position];
}

std::uint64_t Selection::parts() const {
  return std::clamp<std::uint64_t>(count_ / smallestPart, 1, mostParts);
}

corpus::PositionRange Selection::part(std::uint64_t index) const {
  return {cut(count_, index, parts()), cut(count_, index + 1, parts())};
}

std::uint64_t Selection::partOf(std::uint64_t position) const {
  assert(position < count_);
  // The last one that begins at the position or before it.
  const auto product = static_cast<unsigned __int128>(position + 1) * parts();
  return static_cast<std::uint64_t>((product - 1) / count_);
}

Json Selection::toJson() const { return origin_; }

std::optional<Selection> Selection::fromJson(const Json &json) {
  if (!json.is_object())
    return std::nullopt;
  const auto rank = [&](const char *key) {
    return rankFromJson(json.value(key, Json()));
  };
  const auto number = [&](const char *key) -> std::optional<std::uint64_t> {
    if (!json.contains(key) || !json.at(key).is_number_unsigned())
      return std::nullopt;
    return json.at(key).get<std::uint64_t>();
  };
  std::optional<Selection> selection;
  const auto begin = rank("begin");
  const auto end = rank("end");
  const auto size = rank("size");
  const auto count = number("sample");
  const auto seed = number("seed");
  const auto first = number("first");
  const auto *order =
      json.contains("order") && json.at("order").is_string()
          ? enumerate::findOrder(json.at("order").get<std::string>())
          : nullptr;
  if (begin && end && *begin <= *end &&
      *end - *begin <= Selection::mostPositions)
    selection = range(*begin, *end);
  else if (size && count && seed && *count < *size)
    selection = sample(*size, *count, *seed);
  else if (size && first && seed && order != nullptr && *first <= *size)
    selection = inOrder(*size, *order, *seed, *first);
  if (!selection || !json.contains("shard"))
    return selection;
  const Json &shard = json.at("shard");
  if (!shard.is_array() || shard.size() != 2 ||
      !shard[0].is_number_unsigned() || !shard[1].is_number_unsigned() ||
      shard[0] < 1 || shard[0] > shard[1])
    return std::nullopt;
  return selection->shard(shard[0], shard[1]);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Step, pass, index, changed, reason, text)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExternalOpt, path, version, release, hash)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OwnBuild, name, version, opt, hash)

void to_json(Json &json, const Pipeline &pipeline) {
  json = {{"passes", pipeline.passes},
          {"triple", pipeline.triple},
          {"data_layout", pipeline.dataLayout},
          {"llvm_args", pipeline.llvmArgs}};
  if (pipeline.opt)
    json["opt"] = *pipeline.opt;
  if (pipeline.build)
    json["build"] = *pipeline.build;
}

void from_json(const Json &json, Pipeline &pipeline) {
  json.at("passes").get_to(pipeline.passes);
  json.at("triple").get_to(pipeline.triple);
  json.at("data_layout").get_to(pipeline.dataLayout);
  json.at("llvm_args").get_to(pipeline.llvmArgs);
  if (json.contains("opt"))
    pipeline.opt = json.at("opt").get<ExternalOpt>();
  if (json.contains("build"))
    pipeline.build = json.at("build").get<OwnBuild>();
}

void to_json(Json &json, const PipelineInfo &info) {
  json = {{"as_run", info.asRun}, {"expanded", info.expanded}};
}

void from_json(const Json &json, PipelineInfo &info) {
  json.at("as_run").get_to(info.asRun);
  json.at("expanded").get_to(info.expanded);
}

void to_json(Json &json, const BuildInfo &info) {
  json = {{"release", info.release},
          {"version", info.version},
          {"name", info.name},
          {"revision", info.revision},
          {"assertions", info.assertions},
          {"root", info.root},
          {"arguments", info.arguments}};
}

void from_json(const Json &json, BuildInfo &info) {
  json.at("release").get_to(info.release);
  json.at("version").get_to(info.version);
  json.at("name").get_to(info.name);
  json.at("revision").get_to(info.revision);
  json.at("assertions").get_to(info.assertions);
  json.at("root").get_to(info.root);
  json.at("arguments").get_to(info.arguments);
}

void to_json(Json &json, const Output &output) {
  json = {{"status", static_cast<int>(output.status)},
          {"detail", output.detail},
          {"text", output.text},
          {"pass", output.pass}};
  if (output.status == Output::Status::ok)
    json["program"] = toJson(output.program);
}

void from_json(const Json &json, Output &output) {
  output.status = static_cast<Output::Status>(json.at("status").get<int>());
  json.at("detail").get_to(output.detail);
  json.at("text").get_to(output.text);
  json.at("pass").get_to(output.pass);
  if (json.contains("program"))
    output.program = programFromJson(json.at("program"));
}

void to_json(Json &json, const Trace &trace) {
  json = {{"end", trace.end},
          {"crash_index", trace.crashIndex},
          {"steps", Json::array()}};
  for (const Step &step : trace.steps) {
    Json entry = step;
    if (step.after)
      entry["after"] = toJson(*step.after);
    json["steps"].push_back(std::move(entry));
  }
}

void from_json(const Json &json, Trace &trace) {
  json.at("end").get_to(trace.end);
  json.at("crash_index").get_to(trace.crashIndex);
  for (const Json &entry : json.at("steps")) {
    trace.steps.push_back(entry);
    if (entry.contains("after"))
      trace.steps.back().after = programFromJson(entry.at("after"));
  }
}

void to_json(Json &json, const WorkOrder &order) {
  json = {{"pipeline", order.pipeline},
          {"space", order.space},
          {"names", order.names},
          {"selection", order.selection.toJson()},
          {"chunk_size", order.chunkSize},
          {"keep", order.keep},
          {"threads", order.threads},
          {"function_limit", order.functionLimit.count()},
          {"watch_passes", order.watchPasses},
          {"memo_bytes", order.memoBytes},
          {"check_each", order.checkEach},
          {"outcomes", order.wantsOutcomes},
          {"outputs_only", order.outputsOnly},
          {"programs", Json::array()},
          {"columns", Json::array()},
          {"ranges", Json::array()}};
  for (const corpus::Bytes &program : order.programs)
    json["programs"].push_back(binary(program));
  for (const checker::Semantics &column : order.columns)
    json["columns"].push_back(checker::toString(column));
  for (const corpus::PositionRange &range : order.ranges)
    json["ranges"].push_back({range.begin, range.end});
}

void from_json(const Json &json, WorkOrder &order) {
  json.at("pipeline").get_to(order.pipeline);
  json.at("space").get_to(order.space);
  json.at("names").get_to(order.names);
  order.selection = *Selection::fromJson(json.at("selection"));
  json.at("chunk_size").get_to(order.chunkSize);
  json.at("keep").get_to(order.keep);
  json.at("threads").get_to(order.threads);
  order.functionLimit = std::chrono::milliseconds(json.at("function_limit"));
  json.at("watch_passes").get_to(order.watchPasses);
  json.at("memo_bytes").get_to(order.memoBytes);
  json.at("check_each").get_to(order.checkEach);
  json.at("outcomes").get_to(order.wantsOutcomes);
  json.at("outputs_only").get_to(order.outputsOnly);
  for (const Json &program : json.at("programs"))
    order.programs.push_back(bytesFrom(program));
  for (const Json &column : json.at("columns")) {
    auto semantics = checker::parseSemantics(column.get<std::string>());
    assert(semantics && "the parent sends what toString() wrote");
    order.columns.push_back(*semantics);
  }
  for (const Json &range : json.at("ranges"))
    order.ranges.push_back({range.at(0), range.at(1)});
}

Json toJson(Rank rank) {
  if (rank <= largestNumber)
    return static_cast<std::uint64_t>(rank);
  return corpus::toString(rank);
}

std::optional<Rank> rankFromJson(const Json &json) {
  if (json.is_number_unsigned())
    return json.get<std::uint64_t>();
  if (!json.is_string())
    return std::nullopt;
  const auto rank = corpus::parseRank(json.get<std::string>());
  return rank && *rank > largestNumber ? rank : std::nullopt;
}

Json toJson(const corpus::ChunkResult &chunk) {
  Json json = {{"begin", chunk.begin},
               {"end", chunk.end},
               {"tallies", Json::array()},
               {"buckets", Json::array()},
               {"findings", Json::array()},
               {"omissions", Json::array()},
               {"rewrites", binary(chunk.rewrites)}};
  for (const corpus::Tally &tally : chunk.tallies)
    json["tallies"].push_back(
        {tally.counts, tally.digest.low, tally.digest.high});
  for (const auto &bucket : chunk.buckets)
    json["buckets"].push_back({bucket.column, bucket.bucket, bucket.count});
  for (const corpus::Finding &f : chunk.findings)
    json["findings"].push_back({f.column, toJson(f.rank), f.name, f.kind,
                                f.bucket, binary(f.source), binary(f.target),
                                f.pass, f.detail, f.text});
  for (const corpus::Omission &o : chunk.omissions)
    json["omissions"].push_back({o.column, o.word, o.reason, o.count,
                                 toJson(o.exampleRank), o.exampleText});
  if (!chunk.outcomes.positions.empty())
    json["outcomes"] = {numbers(chunk.outcomes.positions),
                        numbers(chunk.outcomes.outputs),
                        binary(chunk.outcomes.words), chunk.outcomes.reasons};
  return json;
}

corpus::ChunkResult chunkFromJson(const Json &json) {
  corpus::ChunkResult chunk;
  json.at("begin").get_to(chunk.begin);
  json.at("end").get_to(chunk.end);
  for (const Json &entry : json.at("tallies")) {
    corpus::Tally tally;
    entry.at(0).get_to(tally.counts);
    entry.at(1).get_to(tally.digest.low);
    entry.at(2).get_to(tally.digest.high);
    chunk.tallies.push_back(tally);
  }
  for (const Json &entry : json.at("buckets"))
    chunk.buckets.push_back({entry.at(0), entry.at(1), entry.at(2)});
  for (const Json &entry : json.at("findings"))
    chunk.findings.push_back({entry.at(0), *rankFromJson(entry.at(1)),
                              entry.at(2), entry.at(3), entry.at(4),
                              bytesFrom(entry.at(5)), bytesFrom(entry.at(6)),
                              entry.at(7), entry.at(8), entry.at(9), ""});
  for (const Json &entry : json.at("omissions"))
    chunk.omissions.push_back({entry.at(0), entry.at(1), entry.at(2),
                               entry.at(3), *rankFromJson(entry.at(4)),
                               entry.at(5)});
  chunk.rewrites = bytesFrom(json.at("rewrites"));
  if (const auto outcomes = json.find("outcomes"); outcomes != json.end())
    chunk.outcomes = {numbersFrom(outcomes->at(0)),
                      numbersFrom(outcomes->at(1)), bytesFrom(outcomes->at(2)),
                      outcomes->at(3)};
  return chunk;
}

} // namespace runner
