// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/evaluate.h"

#include "corpus/program/canonical.h"
#include "runner/worker.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace runner {
namespace {

using corpus::Counter;
using corpus::everyColumn;

/// What the digest remembers of one function.
corpus::Digest digestEntry(Rank rank, std::uint64_t outputHash,
                           std::string_view word, std::string_view kind) {
  std::array<std::uint8_t, 64> bytes;
  std::size_t size = 0;
  const auto addNumber = [&](std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8)
      bytes[size++] = static_cast<std::uint8_t>(value >> shift);
  };
  const auto addText = [&](std::string_view text) {
    assert(size + text.size() < bytes.size());
    size = std::copy(text.begin(), text.end(), bytes.begin() + size) -
           bytes.begin();
    bytes[size++] = '/';
  };
  addNumber(static_cast<std::uint64_t>(rank));
  if (rank >> 64 != 0)
    addNumber(static_cast<std::uint64_t>(rank >> 64));
  addNumber(outputHash);
  addText(word);
  addText(kind);
  return corpus::digestOf(std::span(bytes).first(size));
}

/// The counter that stands for a kind that is no verdict.
Counter counterOf(checker::Kind kind) {
  switch (kind) {
  case checker::Kind::crash:
    return Counter::crash;
  case checker::Kind::hang:
    return Counter::hang;
  case checker::Kind::invalid:
    return Counter::invalid;
  default:
    assert(kind == checker::Kind::nondeterministic);
    return Counter::nondeterministic;
  }
}

Counter counterOf(checker::VerdictWord word) {
  switch (word) {
  case checker::VerdictWord::refines:
    return Counter::refines;
  case checker::VerdictWord::wrong:
    return Counter::wrong;
  case checker::VerdictWord::unsupported:
    return Counter::unsupported;
  case checker::VerdictWord::undecided:
    return Counter::undecided;
  }
  return Counter::undecided;
}

/// What the in-flight table shows while no pass runs.
const PassName checking(checkingName);

/// Not of what has no use: a pass may leave it to others to remove.
std::vector<std::string> instructionTokens(const corpus::Program &program) {
  std::vector<std::string> tokens;
  for (const corpus::Instruction &instruction :
       corpus::withoutDeadInstructions(program).instructions) {
    const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
    if (row.isTerminator())
      continue;
    std::string token(row.spelling);
    for (const corpus::FlagInfo &flag : corpus::flagTable)
      if (instruction.flags.has(flag.flag))
        token += fmt::format(" {}", flag.spelling);
    tokens.push_back(std::move(token));
  }
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

} // namespace

/// Kinds come after the words of verdicts.
std::uint8_t outcomeOf(checker::Kind kind) {
  return static_cast<std::uint8_t>(checker::verdictSpelling.size() +
                                   static_cast<std::size_t>(kind));
}

std::uint8_t outcomeOf(const checker::Verdict &verdict) {
  return verdict.word == checker::VerdictWord::wrong
             ? outcomeOf(verdict.kind)
             : static_cast<std::uint8_t>(verdict.word);
}

std::string_view outcomeSpelling(std::uint8_t word) {
  const std::size_t words = checker::verdictSpelling.size();
  return word < words ? checker::verdictSpelling[word]
                      : checker::kindSpelling[word - words];
}

std::string quickSignature(std::string_view kind, const corpus::Program &source,
                           const corpus::Program &target) {
  const auto before = instructionTokens(source);
  const auto after = instructionTokens(target);
  std::vector<std::string> gone;
  std::vector<std::string> come;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(gone));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(come));
  return fmt::format("{}: {} -> {}", kind, fmt::join(gone, ", "),
                     fmt::join(come, ", "));
}

corpus::ChunkResult lostPosition(const enumerate::Space &space,
                                 const WorkOrder &order, std::uint64_t position,
                                 checker::Kind kind, const std::string &pass,
                                 const std::string &detail) {
  // That our own check takes too long says nothing about the optimizer.
  constexpr auto undecided = checker::VerdictWord::undecided;
  const bool isOurs = kind == checker::Kind::hang && pass == checkingName;
  const Rank rank = order.selection.rank(position);
  const std::string word(isOurs ? checker::toString(undecided)
                                : checker::toString(kind));
  corpus::ChunkResult chunk{position, position + 1, {}, {}, {}, {}, {}};
  corpus::Tally tally;
  tally[Counter::functions] = 1;
  tally[Counter::represented] = 1;
  tally[Counter::changed] = 1;
  tally[isOurs ? counterOf(undecided) : counterOf(kind)] = 1;
  tally.digest = digestEntry(rank, 0, word, isOurs ? "" : word);
  chunk.tallies.assign(order.columns.size(), tally);
  constexpr std::string_view tooLong = "the check takes too long";
  if (order.wantsOutcomes) {
    chunk.outcomes.positions = {position};
    chunk.outcomes.outputs = {outcomeOf(kind)};
    for (std::size_t i = 0; i < order.columns.size(); ++i) {
      chunk.outcomes.words.push_back(
          isOurs ? static_cast<std::uint8_t>(undecided) : outcomeOf(kind));
      if (isOurs)
        chunk.outcomes.reasons[i] = tooLong;
    }
  }
  if (isOurs) {
    chunk.omissions.push_back(
        {corpus::everyColumn, word, std::string(tooLong), 1, rank, {}});
    return chunk;
  }
  corpus::Finding finding;
  finding.rank = rank;
  finding.name = space.nameOf(rank);
  finding.kind = word;
  finding.bucket = fmt::format("{}: {}: {}", word, pass, detail);
  finding.source = corpus::encode(space.at(rank));
  finding.pass = pass;
  finding.detail = detail;
  chunk.buckets.push_back({everyColumn, finding.bucket, 1});
  chunk.findings.push_back(std::move(finding));
  return chunk;
}

bool isDear(std::string_view bucket) {
  return bucket.starts_with(checker::toString(checker::Kind::hang)) ||
         bucket.ends_with(runawayMemory);
}

Evaluator::Evaluator(const enumerate::Space &space, const WorkOrder &order,
                     std::unique_ptr<Optimizer> optimizer, Tracer tracer)
    : space_(space), order_(order), optimizer_(std::move(optimizer)),
      tracer_(std::move(tracer)), checker_(checker::Limits::ofCampaign()) {
  optimizer_->setMemo(order.memoBytes);
  if (const auto symmetry = space.symmetry(); symmetry && !symmetry->empty())
    filter_.emplace(*symmetry);
  assert(tracer_ || !order.checkEach);
}

corpus::ChunkResult Evaluator::evaluate(corpus::PositionRange range, Slot &slot,
                                        const std::atomic<bool> *stop) {
  corpus::ChunkResult chunk{range.begin, range.end, {}, {}, {}, {}, {}};
  chunk.tallies.resize(order_.columns.size());
  buckets_.clear();
  omissions_.clear();
  sample_.clear();

  const auto cursor = order_.selection.isContiguous()
                          ? space_.from(order_.selection.rank(range.begin))
                          : nullptr;
  while (range.begin < range.end &&
         (stop == nullptr || !stop->load() || range.begin == chunk.begin)) {
    const std::uint64_t skipped = fillBatch(cursor.get(), range);
    for (corpus::Tally &tally : chunk.tallies) {
      tally[Counter::functions] += skipped;
      tally[Counter::skipped] += skipped;
    }
    optimizer_->optimize(std::span(batch_).first(ranks_.size()), positions_,
                         slot, outputs_);
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      judge(i, slot, chunk);
  }
  chunk.end = range.begin;
  repeat(slot, chunk);
  slot.leave();

  for (auto &[key, bucket] : buckets_) {
    corpus::trimBucket(bucket.findings, order_.keep);
    chunk.buckets.push_back({key.first, key.second, bucket.count});
    std::move(bucket.findings.begin(), bucket.findings.end(),
              std::back_inserter(chunk.findings));
  }
  for (auto &[key, omission] : omissions_)
    chunk.omissions.push_back(std::move(omission));
  chunk.rewrites = corpus::packRewrites(rewrites_.take());
  return chunk;
}

std::uint64_t Evaluator::fillBatch(enumerate::Cursor *cursor,
                                   corpus::PositionRange &range) {
  std::uint64_t skipped = 0;
  ranks_.clear();
  positions_.clear();
  for (; ranks_.size() < optimizer_->batchSize() && range.begin < range.end;
       ++range.begin) {
    const Rank rank = order_.selection.rank(range.begin);
    if (batch_.size() == ranks_.size())
      batch_.emplace_back();
    corpus::Program &program = batch_[ranks_.size()];
    if (cursor == nullptr) {
      program = space_.at(rank);
    } else {
      assert(cursor->rank() == rank);
      program = cursor->program();
      cursor->next();
    }
    if (filter_ && !filter_->isRepresentative(program)) {
      ++skipped;
    } else {
      ranks_.push_back(rank);
      positions_.push_back(range.begin);
    }
  }
  return skipped;
}

void Evaluator::judge(std::size_t index, Slot &slot,
                      corpus::ChunkResult &chunk) {
  const corpus::Program &source = batch_[index];
  const Output &output = outputs_[index];
  const Rank rank = ranks_[index];
  const bool changed =
      output.status != Output::Status::ok || output.program != source;
  for (corpus::Tally &tally : chunk.tallies) {
    tally[Counter::functions]++;
    tally[Counter::represented]++;
    tally[Counter::changed] += changed ? 1 : 0;
  }
  // Alone a function costs about twice as much as in a batch.
  if (!order_.outputsOnly &&
      corpus::rankHash(rank) % (2 * optimizer_->batchSize()) == 0 &&
      output.status != Output::Status::crash &&
      output.status != Output::Status::hang)
    sample_.push_back({rank, positions_[index], source, output});
  const auto note = [&](std::uint64_t outputHash) {
    chunk.outcomes.positions.push_back(positions_[index]);
    chunk.outcomes.outputs.push_back(outputHash);
  };
  const auto noteWord = [&](std::uint8_t outcome, const std::string &reason) {
    if (!reason.empty())
      chunk.outcomes.reasons[chunk.outcomes.words.size()] = reason;
    chunk.outcomes.words.push_back(outcome);
  };
  const auto noteAll = [&](std::uint8_t outcome, const std::string &reason) {
    if (!order_.wantsOutcomes)
      return;
    note(outcome);
    for (std::size_t i = 0; i < order_.columns.size(); ++i)
      noteWord(outcome, reason);
  };

  const auto lost = [&](checker::Kind kind) {
    const std::string_view word = checker::toString(kind);
    for (corpus::Tally &tally : chunk.tallies) {
      tally[counterOf(kind)]++;
      tally.digest += digestEntry(rank, 0, word, word);
    }
    noteAll(outcomeOf(kind), {});
    corpus::Finding finding;
    finding.kind = word;
    finding.pass = output.pass;
    finding.detail = output.detail;
    finding.text = output.text;
    finding.bucket =
        fmt::format("{}: {}: {}", word, output.pass, output.detail);
    add(std::move(finding), index);
  };
  switch (output.status) {
  case Output::Status::crash:
    return lost(checker::Kind::crash);
  case Output::Status::hang:
    return lost(checker::Kind::hang);
  case Output::Status::invalid:
    return lost(checker::Kind::invalid);
  case Output::Status::unsupported:
    for (corpus::Tally &tally : chunk.tallies) {
      tally[Counter::unsupported]++;
      tally.digest += digestEntry(rank, 0, "unsupported", "");
    }
    noteAll(static_cast<std::uint8_t>(checker::VerdictWord::unsupported),
            output.detail);
    return omit(everyColumn, checker::VerdictWord::unsupported, output.detail,
                index);
  case Output::Status::ok:
    break;
  }

  const std::uint64_t outputHash = corpus::hash(output.program, scratch_);
  if (order_.wantsOutcomes)
    note(outputHash);
  if (order_.outputsOnly)
    return;
  if (changed || order_.checkEach)
    slot.enter(positions_[index], checking);
  if (order_.checkEach)
    checkSteps(source);
  if (changed) {
    for (const corpus::Bytes &form :
         rewriteFinder_.find(source, output.program))
      rewrites_.note(form, rank);
    if (!output.onlyDeletes)
      checkColumns(source, output.program);
  }
  const checker::Verdict refines;
  for (std::size_t column = 0; column < order_.columns.size(); ++column) {
    corpus::Tally &tally = chunk.tallies[column];
    const checker::Verdict *found = changed && !output.onlyDeletes
                                        ? &verdicts_[verdictOf_[column]]
                                        : &refines;
    const WorstStep *step = nullptr;
    if (order_.checkEach && worstSteps_[column] &&
        (worstSteps_[column]->verdict.word == checker::VerdictWord::wrong ||
         found->word == checker::VerdictWord::refines)) {
      step = &*worstSteps_[column];
      found = &step->verdict;
    }
    const checker::Verdict &verdict = *found;
    const bool wrong = verdict.word == checker::VerdictWord::wrong;
    const std::string_view kind =
        wrong ? checker::toString(verdict.kind) : std::string_view();
    tally[counterOf(verdict.word)]++;
    tally.digest +=
        digestEntry(rank, outputHash, checker::toString(verdict.word), kind);
    if (order_.wantsOutcomes)
      noteWord(outcomeOf(verdict), isDecided(verdict) ? "" : verdict.reason);
    if (wrong) {
      const corpus::Program &before = step ? step->before : source;
      const corpus::Program &after = step ? step->after : output.program;
      corpus::Finding finding;
      finding.column = static_cast<int>(column);
      finding.kind = kind;
      finding.bucket = quickSignature(kind, before, after);
      finding.target = corpus::encode(after);
      if (step) {
        finding.pass = step->pass;
        finding.bucket = fmt::format("{}: {}", step->pass, finding.bucket);
      }
      add(std::move(finding), index);
    } else if (verdict.word != checker::VerdictWord::refines) {
      omit(static_cast<int>(column), verdict.word, verdict.reason, index);
    }
  }
}

void Evaluator::repeat(Slot &slot, corpus::ChunkResult &chunk) {
  if (sample_.empty())
    return;
  const auto same = [](const Output &a, const Output &b) {
    return a.status == b.status &&
           (a.status != Output::Status::ok || a.program == b.program);
  };
  batch_.resize(std::max(batch_.size(), sample_.size()));
  ranks_.clear();
  positions_.clear();
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    ranks_.push_back(sample_[i].rank);
    positions_.push_back(sample_[i].position);
    batch_[i] = sample_[i].program;
  }
  std::vector<Output> alone;
  optimizer_->setMemo(0);
  optimizer_->optimize(std::span(batch_).first(ranks_.size()), positions_, slot,
                       outputs_);
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    optimizer_->optimize({&batch_[i], 1}, {&positions_[i], 1}, slot, alone);
    const Output &output = sample_[i].output;
    const bool inBatch = same(output, outputs_[i]);
    if (inBatch && same(output, alone.front()))
      continue;
    for (corpus::Tally &tally : chunk.tallies)
      tally[Counter::nondeterministic]++;
    corpus::Finding finding;
    finding.kind = checker::toString(checker::Kind::nondeterministic);
    finding.detail =
        inBatch ? "another result alone"
        : output.knownFrom != 0 && same(outputs_[i], alone.front())
            ? fmt::format("another result without what was remembered, which "
                          "served it before '{}'",
                          optimizer_->stage(output.knownFrom))
            : "another result in another batch";
    finding.bucket = fmt::format("{}: {}", finding.kind, finding.detail);
    if (output.status == Output::Status::ok)
      finding.target = corpus::encode(output.program);
    add(std::move(finding), i);
  }
  optimizer_->setMemo(order_.memoBytes);
}

/// What cannot be lifted is compared together with the next step.
void Evaluator::checkSteps(const corpus::Program &source) {
  worstSteps_.assign(order_.columns.size(), std::nullopt);
  const Trace trace = tracer_(source);
  const corpus::Program *before = &source;
  for (const Step &step : trace.steps) {
    if (!step.changed || !step.after)
      continue;
    checkColumns(*before, *step.after);
    for (std::size_t column = 0; column < order_.columns.size(); ++column) {
      const checker::Verdict &verdict = verdicts_[verdictOf_[column]];
      auto &worst = worstSteps_[column];
      if (verdict.word == checker::VerdictWord::refines ||
          (worst && (worst->verdict.word == checker::VerdictWord::wrong ||
                     verdict.word != checker::VerdictWord::wrong)))
        continue;
      worst = WorstStep{verdict, step.pass, *before, *step.after};
    }
    before = &*step.after;
  }
}

/// Columns that cannot differ on this pair share one check.
void Evaluator::checkColumns(const corpus::Program &source,
                             const corpus::Program &target) {
  const checker::Relevance relevance(source, target);
  checked_.clear();
  verdicts_.clear();
  verdictOf_.clear();
  for (const checker::Semantics &column : order_.columns) {
    const checker::Semantics part = relevance.relevantPart(column);
    const auto known = std::find(checked_.begin(), checked_.end(), part);
    verdictOf_.push_back(static_cast<std::size_t>(known - checked_.begin()));
    if (known != checked_.end())
      continue;
    checked_.push_back(part);
    verdicts_.push_back(
        checker_.check(source, target, part, checker::WantWitness::no));
  }
}

void Evaluator::add(corpus::Finding finding, std::size_t index) {
  Bucket &bucket = buckets_[{finding.column, finding.bucket}];
  ++bucket.count;
  finding.rank = ranks_[index];
  finding.name = space_.nameOf(finding.rank);
  finding.source = corpus::encode(batch_[index]);
  bucket.findings.push_back(std::move(finding));
  // Memory stays bounded when everything is wrong.
  if (bucket.findings.size() > 4 * order_.keep + optimizer_->batchSize())
    corpus::trimBucket(bucket.findings, order_.keep);
}

void Evaluator::omit(int column, checker::VerdictWord word, std::string reason,
                     std::size_t index) {
  const std::string spelling(checker::toString(word));
  corpus::Omission &omission = omissions_[{column, spelling, reason}];
  if (omission.count++ > 0)
    return;
  omission.column = column;
  omission.word = spelling;
  omission.reason = std::move(reason);
  omission.exampleRank = ranks_[index];
  omission.exampleText = outputs_[index].text;
}

} // namespace runner
