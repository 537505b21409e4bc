// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/supervisor.h"

#include "corpus/program/encode.h"
#include "corpus/system/process.h"
#include "runner/evaluate.h"

#include <algorithm>
#include <fmt/format.h>

namespace runner {
namespace {

/// How often the parent looks at its watch.
constexpr std::chrono::milliseconds tick(100);
/// Workers that die without a result and without a culprit, one after the
/// other, before we believe that no worker can live here.
constexpr int causelessDeaths = 3;
/// A death costs the work of the chunks in flight, so they shrink with each and
/// grow in times of peace.
constexpr std::uint64_t smallestChunk = 16;
constexpr std::uint64_t chunkStep = 4;
/// A worker that was told to stop and has not by then is killed: what is in
/// flight runs again.
constexpr std::chrono::seconds stopPatience(2);
/// A function that takes so many times what is usual hangs, but none below the
/// floor does.
constexpr double farOut = 500;
constexpr std::chrono::duration<double> shortestLimit(1);
/// Where a pass has hung before: it will again, and each hang is waited for by
/// three workers.
constexpr std::chrono::duration<double> shortestLimitLater(0.2);
/// A function that takes so much more memory than all before runs away.
constexpr std::uint64_t roomToGrow = 512ULL << 20;
constexpr std::size_t remembered = 31; ///< chunks

/// The next of what is left for a worker that watches passes. Chunks are handed
/// out in order, one for each thread, so that the ones in which the last worker
/// died are among these; as many again show that it is over.
std::vector<corpus::PositionRange>
nextWatched(const std::vector<corpus::PositionRange> &left,
            const WorkOrder &order) {
  std::uint64_t size = 2 * order.chunkSize * order.threads;
  std::vector<corpus::PositionRange> first;
  for (const corpus::PositionRange &range : left) {
    if (size == 0)
      break;
    const std::uint64_t part = std::min(size, range.end - range.begin);
    first.push_back({range.begin, range.begin + part});
    size -= part;
  }
  return first;
}

/// A pass that fails may have written anywhere in its worker before: what the
/// functions were is known here, and a result that cannot be read is none.
void mend(corpus::ChunkResult &chunk, const enumerate::Space &space) {
  for (corpus::Finding &finding : chunk.findings) {
    finding.source = corpus::encode(space.at(finding.rank));
    if (!finding.target.empty() && !corpus::decode(finding.target))
      finding.target.clear();
  }
}

} // namespace

void UsualCost::note(std::chrono::duration<double> each, std::uint64_t bytes) {
  bytes_ = std::max(bytes_, bytes);
  if (seconds_.size() < remembered)
    seconds_.push_back(each.count());
}

std::chrono::duration<double> UsualCost::timeLimit(bool ofCheck) const {
  double usual = 0;
  if (!seconds_.empty()) {
    std::vector<double> sorted = seconds_;
    const auto middle = sorted.begin() + static_cast<long>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    usual = *middle;
  }
  return std::max(hasHung_ && !ofCheck ? shortestLimitLater : shortestLimit,
                  std::chrono::duration<double>(farOut * usual));
}

std::optional<std::uint64_t> UsualCost::memoryLimit() const {
  if (seconds_.empty())
    return std::nullopt;
  return std::min(bytes_ + roomToGrow, corpus::runawayBytes);
}

Supervisor::Supervisor(const Installation &installation, WaitingWorker &waiting,
                       const enumerate::Space &space,
                       std::chrono::milliseconds functionLimit,
                       UsualCost *usual, Hooks hooks)
    : installation_(installation), waiting_(waiting), space_(space),
      functionLimit_(functionLimit), usual_(usual), hooks_(std::move(hooks)) {}

corpus::Result<Supervisor::End> Supervisor::run(WorkOrder order) {
  left_ = order.ranges;
  const std::uint64_t largestChunk = order.chunkSize;
  int causeless = 0;
  bool stoodStill = false; // the worker that died last
  order.ranges = left_;
  while (!left_.empty()) {
    if (hooks_.shouldStop())
      return End::stopped;
    const SessionEnd end = session(order);
    if (end == SessionEnd::failed)
      return error_;
    if (hooks_.shouldStop())
      continue;
    if (end == SessionEnd::done) {
      // Many slow functions in one module look like a hang, and will again.
      const bool isOver = order.chunkSize == largestChunk && !stoodStill;
      order.watchPasses = isOver ? WatchPasses::no : WatchPasses::yes;
      order.chunkSize = std::min(chunkStep * order.chunkSize, largestChunk);
      order.ranges = isOver ? left_ : nextWatched(left_, order);
      continue;
    }
    const std::vector<corpus::PositionRange> before = left_;
    const std::vector<Suspect> suspects = std::move(suspects_);
    const bool isWatched = order.watchPasses == WatchPasses::yes;
    stoodStill = death_.hung && !isWatched;
    bool isProgress = sessionDone_ != 0;
    for (const Suspect &suspect : suspects)
      if (isWatched && isolate(order, suspect.position) == SessionEnd::failed)
        return error_;
    isProgress |= left_ != before;
    order.watchPasses = WatchPasses::yes;
    order.ranges = nextWatched(left_, order);
    order.chunkSize = std::min(
        std::max(order.chunkSize / chunkStep, smallestChunk), largestChunk);
    causeless = isProgress ? 0 : causeless + 1;
    if (causeless == causelessDeaths)
      return corpus::Error{fmt::format(
          "{} dies with nothing to do ({}); `irsieve doctor` may say more",
          installation_.path, death_.how)};
  }
  return End::finished;
}

Supervisor::SessionEnd Supervisor::session(const WorkOrder &order) {
  suspects_.clear();
  sessionDone_ = 0;
  const std::vector<std::string> &llvmArgs = order.pipeline.llvmArgs;
  WorkerProcess process = waiting_.take(installation_, llvmArgs);
  pulses_.assign(maximumThreads, {0, std::chrono::steady_clock::now(),
                                  corpus::cpuTime(process.pid())});
  threads_ = order.threads;
  heldBefore_ = corpus::residentBytes(process.pid());
  mayGoOn_ = order.watchPasses == WatchPasses::no;
  limitMemory(process);
  const SessionEnd end = process.send({{"do", "run"}, {"order", order}})
                             ? receive(process)
                             : SessionEnd::died;
  if (end != SessionEnd::died) {
    if (end == SessionEnd::done && mayGoOn_)
      waiting_.put(installation_, llvmArgs, std::move(process));
    return end;
  }

  if (const auto still = standingStill(process)) {
    const Slot &slot = process.table()->slots[*still];
    suspects_.push_back({slot.position.load(), slot.passName()});
    process.kill();
    process.bury();
    death_ = {"", true, suspects_.back().pass};
    return end;
  }
  death_ = process.bury();
  death_.hung = false;
  for (const Slot &slot : process.table()->slots)
    if (const std::uint64_t position = slot.position.load();
        position != Slot::idle)
      suspects_.push_back({position, slot.passName()});
  return end;
}

void Supervisor::limitMemory(WorkerProcess &process) const {
  const auto usual = usual_ != nullptr ? usual_->memoryLimit()
                                       : std::optional<std::uint64_t>();
  process.setMemoryLimit(heldBefore_ + usual.value_or(corpus::runawayBytes));
}

/// Takes frames until the worker is done, dies, or stands still.
Supervisor::SessionEnd Supervisor::receive(WorkerProcess &process) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> stopped;
  std::chrono::duration<double> cpu = corpus::cpuTime(process.pid());
  for (;;) {
    if (hooks_.shouldStop()) {
      process.table()->stop = true;
      mayGoOn_ = false;
      stopped = stopped.value_or(Clock::now());
      if (Clock::now() - *stopped > stopPatience)
        return SessionEnd::done;
    }
    if (!process.isReadable(tick)) {
      if (standingStill(process) || process.isRunaway())
        return SessionEnd::died;
      continue;
    }
    const auto message = process.receive();
    if (!message)
      return SessionEnd::died;
    if (message->contains("done")) {
      mayGoOn_ = mayGoOn_ && !message->at("recycle").get<bool>();
      return SessionEnd::done;
    }
    corpus::ChunkResult chunk = chunkFromJson(message->at("chunk"));
    mend(chunk, space_);
    mayGoOn_ = mayGoOn_ && chunk.tallies.front()[corpus::Counter::crash] == 0;
    const auto committed = hooks_.commit(chunk);
    if (!committed) {
      error_ = committed.error();
      return SessionEnd::failed;
    }
    sessionDone_ += chunk.end - chunk.begin;
    markDone({chunk.begin, chunk.end});
    if (usual_ != nullptr) {
      const auto now = corpus::cpuTime(process.pid());
      const std::uint64_t held = corpus::residentBytes(process.pid());
      usual_->note((now - cpu) / static_cast<double>(chunk.end - chunk.begin),
                   held - std::min(held, heldBefore_));
      cpu = now;
      limitMemory(process);
    }
  }
}

/// The slot that has been at one function for longer than the limit.
std::optional<std::uint64_t>
Supervisor::standingStill(const WorkerProcess &process) {
  const SharedTable &table = process.table();
  const auto now = std::chrono::steady_clock::now();
  // On a busy machine time passes without a cause: what counts is work.
  const auto cpu = usual_ != nullptr ? corpus::cpuTime(process.pid())
                                     : std::chrono::duration<double>(0);
  const auto isFarOut = [&](const Slot &slot, const Pulse &pulse) {
    return usual_ != nullptr &&
           cpu - pulse.cpu >
               threads_ * usual_->timeLimit(slot.passName() == checkingName);
  };
  for (std::size_t i = 0; i < maximumThreads; ++i) {
    const Slot &slot = table->slots[i];
    const std::uint64_t heartbeat = slot.heartbeat.load();
    if (slot.position.load() == Slot::idle || heartbeat != pulses_[i].heartbeat)
      pulses_[i] = {heartbeat, now, cpu};
    else if (now - pulses_[i].since > functionLimit_ ||
             isFarOut(slot, pulses_[i]))
      return i;
  }
  return std::nullopt;
}

/// Tries one function in a worker of its own.
Supervisor::SessionEnd Supervisor::isolate(const WorkOrder &order,
                                           std::uint64_t position) {
  const auto open = [&](const corpus::PositionRange &range) {
    return range.begin <= position && position < range.end;
  };
  if (std::none_of(left_.begin(), left_.end(), open))
    return SessionEnd::done;
  WorkOrder alone = order;
  alone.threads = 1;
  alone.ranges = {{position, position + 1}};
  for (int attempt = 1;; ++attempt) {
    const SessionEnd end = session(alone);
    if (end != SessionEnd::died)
      return end;
    if (!death_.isKilled() || attempt == killedAttempts)
      break;
  }
  const auto kind = death_.hung ? checker::Kind::hang : checker::Kind::crash;
  const std::string pass =
      suspects_.empty() ? death_.pass : suspects_.front().pass;
  if (usual_ != nullptr && death_.hung && pass != checkingName)
    usual_->noteHang();
  const auto committed = hooks_.commit(
      lostPosition(space_, order, position, kind, pass, death_.how));
  if (!committed) {
    error_ = committed.error();
    return SessionEnd::failed;
  }
  markDone({position, position + 1});
  return SessionEnd::done;
}

void Supervisor::markDone(corpus::PositionRange range) {
  std::vector<corpus::PositionRange> left;
  for (const corpus::PositionRange &open : left_) {
    if (open.begin < std::min(open.end, range.begin))
      left.push_back({open.begin, std::min(open.end, range.begin)});
    if (std::max(open.begin, range.end) < open.end)
      left.push_back({std::max(open.begin, range.end), open.end});
  }
  left_ = std::move(left);
}

} // namespace runner
