// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/store/store.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <sqlite3.h>
#include <unordered_set>

namespace corpus {
namespace {

/// "irsv" in the file's header, so that a foreign SQLite file is recognised.
constexpr int applicationId = 0x69727376;
constexpr int schemaVersion = 5;

constexpr const char *schema = R"sql(
CREATE TABLE campaign (identity TEXT NOT NULL);
CREATE TABLE lane (
  id INTEGER PRIMARY KEY, release INTEGER NOT NULL, version TEXT NOT NULL,
  passes TEXT NOT NULL, as_run TEXT NOT NULL, expanded TEXT NOT NULL);
-- Disjoint, never touching: neighbours are merged when they commit.
CREATE TABLE done (
  lane INTEGER NOT NULL, begin INTEGER NOT NULL, end INTEGER NOT NULL,
  PRIMARY KEY (lane, begin)) WITHOUT ROWID;
CREATE TABLE tally (
  lane INTEGER NOT NULL, semantics INTEGER NOT NULL, counter TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (lane, semantics, counter)) WITHOUT ROWID;
-- Of each part of the positions; their sum is the digest of the lane.
CREATE TABLE digest (
  lane INTEGER NOT NULL, semantics INTEGER NOT NULL, part INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (lane, semantics, part)) WITHOUT ROWID;
CREATE TABLE bucket (
  lane INTEGER NOT NULL, semantics INTEGER NOT NULL, signature TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (lane, semantics, signature)) WITHOUT ROWID;
CREATE TABLE finding (
  lane INTEGER NOT NULL, semantics INTEGER NOT NULL, bucket TEXT NOT NULL,
  rank BLOB NOT NULL, rank_hash INTEGER NOT NULL, name TEXT NOT NULL,
  kind TEXT NOT NULL, source BLOB NOT NULL, target BLOB NOT NULL,
  pass TEXT NOT NULL, detail TEXT NOT NULL, text TEXT NOT NULL,
  bug TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (lane, semantics, bucket, rank)) WITHOUT ROWID;
CREATE TABLE omission (
  lane INTEGER NOT NULL, semantics INTEGER NOT NULL, word TEXT NOT NULL,
  reason TEXT NOT NULL, count INTEGER NOT NULL,
  example_rank BLOB NOT NULL, example_text TEXT NOT NULL,
  PRIMARY KEY (lane, semantics, word, reason)) WITHOUT ROWID;
-- As packRewrites() writes them; of a chunk, until there are enough of them to
-- be put together: most chunks show most rewrites.
CREATE TABLE rewrite_log (
  lane INTEGER NOT NULL, begin INTEGER NOT NULL, rewrites BLOB NOT NULL,
  PRIMARY KEY (lane, begin)) WITHOUT ROWID;
-- One each, with all of its functions but those in the log.
CREATE TABLE rewrite (
  lane INTEGER NOT NULL, hash INTEGER NOT NULL, rewrite BLOB NOT NULL,
  PRIMARY KEY (lane, hash)) WITHOUT ROWID;
CREATE TABLE bug (id TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE certificate (document TEXT NOT NULL);
CREATE TABLE decision (bug TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID;
)sql";

/// SQLite stores signed 64-bit integers; positions and counts use all bits.
/// Ranks have more: 16 bytes, high ones first, which compare as the numbers do.
std::int64_t toSigned(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

class Statement {
public:
  Statement(sqlite3 *database, const char *sql) {
    code_ = sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  template <typename... Values> Statement &bind(const Values &...values) {
    if (statement_ == nullptr)
      return *this;
    sqlite3_reset(statement_);
    int index = 0;
    (bindOne(++index, values), ...);
    return *this;
  }
  /// True while there is a row.
  bool step() {
    if (statement_ == nullptr)
      return false;
    code_ = sqlite3_step(statement_);
    return code_ == SQLITE_ROW;
  }
  /// For statements without rows: false on failure.
  bool run() {
    step();
    return code_ == SQLITE_DONE || code_ == SQLITE_ROW;
  }
  bool good() const {
    return code_ == SQLITE_OK || code_ == SQLITE_ROW || code_ == SQLITE_DONE;
  }

  std::int64_t integer(int column) const {
    return sqlite3_column_int64(statement_, column);
  }
  std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(integer(column));
  }
  std::string text(int column) const {
    const auto *data = sqlite3_column_text(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr
               ? std::string()
               : std::string(reinterpret_cast<const char *>(data), size);
  }
  Bytes blob(int column) const {
    const auto *data = static_cast<const std::uint8_t *>(
        sqlite3_column_blob(statement_, column));
    return {data, data + sqlite3_column_bytes(statement_, column)};
  }

  Rank rank(int column) const {
    Rank rank = 0;
    for (const std::uint8_t byte : blob(column))
      rank = rank << 8 | byte;
    return rank;
  }

private:
  void bindOne(int index, Rank value) {
    Bytes bytes(sizeof value);
    for (std::size_t i = bytes.size(); i-- > 0; value >>= 8)
      bytes[i] = static_cast<std::uint8_t>(value);
    bindOne(index, bytes);
  }
  void bindOne(int index, std::int64_t value) {
    sqlite3_bind_int64(statement_, index, value);
  }
  void bindOne(int index, std::uint64_t value) {
    sqlite3_bind_int64(statement_, index, toSigned(value));
  }
  void bindOne(int index, int value) {
    sqlite3_bind_int64(statement_, index, value);
  }
  void bindOne(int index, unsigned value) {
    sqlite3_bind_int64(statement_, index, value);
  }
  void bindOne(int index, std::string_view value) {
    sqlite3_bind_text(statement_, index, value.data(),
                      static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }
  void bindOne(int index, const Bytes &value) {
    // A null pointer would bind NULL.
    sqlite3_bind_blob(statement_, index,
                      value.empty() ? ""
                                    : static_cast<const void *>(value.data()),
                      static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }

  sqlite3_stmt *statement_ = nullptr;
  int code_ = SQLITE_OK;
};

struct CloseDatabase {
  void operator()(sqlite3 *database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

bool execute(sqlite3 *database, const char *sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

int pragma(sqlite3 *database, const char *sql) {
  Statement statement(database, sql);
  return statement.step() ? static_cast<int>(statement.integer(0)) : -1;
}

/// Rolls back unless committed.
class Transaction {
public:
  explicit Transaction(sqlite3 *database, const char *begin = "BEGIN IMMEDIATE")
      : database_(database) {
    open_ = execute(database, begin);
  }
  ~Transaction() {
    if (open_)
      execute(database_, "ROLLBACK");
  }
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  bool isOpen() const { return open_; }
  bool commit() {
    if (!execute(database_, "COMMIT"))
      return false;
    open_ = false;
    return true;
  }

private:
  sqlite3 *database_;
  bool open_ = false;
};

} // namespace

Tally &Tally::operator+=(const Tally &other) {
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] += other.counts[i];
  digest += other.digest;
  return *this;
}

std::uint64_t rankHash(Rank rank) {
  // Ranks below 2^64 keep the hash that they had when there were no others.
  const auto high = static_cast<std::uint64_t>(rank >> 64);
  const auto low = static_cast<std::uint64_t>(rank);
  return mixBits((high == 0 ? low : low ^ mixBits(high)) + mixStep);
}

namespace {

/// Base 128, the lowest digit first.
template <typename Number> void pack(Number number, Bytes &out) {
  for (; number >= 128; number /= 128)
    out.push_back(static_cast<std::uint8_t>(number % 128 + 128));
  out.push_back(static_cast<std::uint8_t>(number));
}

template <typename Number>
Number unpack(const Bytes &bytes, std::size_t &next) {
  Number number = 0;
  for (unsigned shift = 0; next < bytes.size(); shift += 7) {
    const std::uint8_t digit = bytes[next++];
    number |= static_cast<Number>(digit % 128) << shift;
    if (digit < 128)
      break;
  }
  return number;
}

} // namespace

Bytes packRewrites(std::span<const Rewrite> rewrites) {
  Bytes bytes;
  for (const Rewrite &rewrite : rewrites) {
    pack(rewrite.hash, bytes);
    pack(rewrite.count, bytes);
    pack(rewrite.firstRank, bytes);
    pack(rewrite.form.size(), bytes);
    bytes.insert(bytes.end(), rewrite.form.begin(), rewrite.form.end());
  }
  return bytes;
}

std::vector<Rewrite> unpackRewrites(const Bytes &bytes) {
  std::vector<Rewrite> rewrites;
  for (std::size_t next = 0; next < bytes.size();) {
    Rewrite rewrite;
    rewrite.hash = unpack<std::uint64_t>(bytes, next);
    rewrite.count = unpack<std::uint64_t>(bytes, next);
    rewrite.firstRank = unpack<decltype(rewrite.firstRank)>(bytes, next);
    const std::size_t size =
        std::min(unpack<std::size_t>(bytes, next), bytes.size() - next);
    const auto begin = bytes.begin() + toSigned(next);
    rewrite.form.assign(begin, begin + toSigned(size));
    next += size;
    rewrites.push_back(std::move(rewrite));
  }
  return rewrites;
}

void trimBucket(std::vector<Finding> &findings, std::uint64_t keep) {
  if (findings.size() <= keep)
    return;
  const auto nth = [&](auto key) {
    std::vector<decltype(key(Rank()))> keys;
    keys.reserve(findings.size());
    for (const Finding &finding : findings)
      keys.push_back(key(finding.rank));
    std::nth_element(keys.begin(), keys.begin() + toSigned(keep), keys.end());
    return keys[keep];
  };
  const Rank rankLimit = nth([](Rank rank) { return rank; });
  const std::uint64_t hashLimit = nth(rankHash);
  std::erase_if(findings, [&](const Finding &finding) {
    return finding.rank >= rankLimit && rankHash(finding.rank) >= hashLimit;
  });
}

namespace {

using RewriteMap = std::map<std::uint64_t, Rewrite>;

/// Adds what the rows of `sql`, asked for a lane, hold.
void readRewrites(sqlite3 *database, const char *sql, std::uint64_t lane,
                  RewriteMap &all) {
  Statement statement(database, sql);
  statement.bind(lane);
  while (statement.step())
    for (Rewrite &each : unpackRewrites(statement.blob(0))) {
      const auto [entry, isNew] = all.try_emplace(each.hash, each);
      if (isNew)
        continue;
      Rewrite &known = entry->second;
      known.count += each.count;
      known.firstRank = std::min(known.firstRank, each.firstRank);
      if (known.form.empty())
        known.form = std::move(each.form);
    }
}

RewriteMap allRewrites(sqlite3 *database, std::uint64_t lane) {
  RewriteMap all;
  readRewrites(database, "SELECT rewrite FROM rewrite WHERE lane = ?", lane,
               all);
  readRewrites(database, "SELECT rewrites FROM rewrite_log WHERE lane = ?",
               lane, all);
  if (all.size() > keptRewrites)
    all.erase(std::next(all.begin(), toSigned(keptRewrites)), all.end());
  return all;
}

} // namespace

struct Store::State {
  Database database;
  std::string path;
  /// What is known of a lane's rewrites.
  struct Rewrites {
    std::unordered_set<std::uint64_t> known; ///< the form is stored
    /// None above this one will be kept.
    std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t logged = 0; ///< entries of the log

    void look(const RewriteMap &all) {
      known.clear();
      for (const auto &[hash, rewrite] : all)
        known.insert(hash);
      if (all.size() == keptRewrites)
        highest = all.rbegin()->first;
    }
  };
  std::map<std::uint64_t, Rewrites> rewrites = {}; ///< by lane

  Rewrites &rewritesOf(std::uint64_t lane) {
    const auto [entry, isNew] = rewrites.try_emplace(lane);
    if (isNew)
      entry->second.look(allRewrites(database.get(), lane));
    return entry->second;
  }

  Error error(std::string_view doing) const {
    return {fmt::format("{}: cannot {}: {}", path, doing,
                        sqlite3_errmsg(database.get()))};
  }
};

namespace {

/// Opens and recognises the file; an empty file is good when it may be created.
Result<Database> openDatabase(const std::string &path, bool create) {
  sqlite3 *raw = nullptr;
  const int code = sqlite3_open_v2(
      path.c_str(), &raw,
      SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), nullptr);
  Database database(raw);
  if (code != SQLITE_OK)
    return Error{fmt::format("{}: cannot open the database: {}", path,
                             sqlite3_errmsg(raw))};
  sqlite3_busy_timeout(raw, 5000);
  const int id = pragma(raw, "PRAGMA application_id");
  if (id == -1)
    return Error{fmt::format("{}: not an irsieve database ({}); choose another "
                             "--db",
                             path, sqlite3_errmsg(raw))};
  const int tables = pragma(raw, "SELECT count(*) FROM sqlite_master");
  if (tables == 0 && create)
    return database;
  if (id != applicationId)
    return Error{
        fmt::format("{}: not an irsieve database; choose another --db", path)};
  const int version = pragma(raw, "PRAGMA user_version");
  if (version != schemaVersion)
    return Error{fmt::format("{}: written by {} irsieve (schema {}, this one "
                             "reads {}); use that one or another --db",
                             path,
                             version > schemaVersion ? "a newer" : "an older",
                             version, schemaVersion)};
  return database;
}

} // namespace

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::~Store() = default;
Store::Store(Store &&) noexcept = default;
Store &Store::operator=(Store &&) noexcept = default;

Result<Store> Store::openOrCreate(const std::string &path,
                                  const std::string &identity,
                                  const std::vector<Lane> &lanes) {
  const bool existed = std::filesystem::exists(path);
  auto database = openDatabase(path, true);
  if (!database)
    return database.error();
  auto state = std::make_unique<State>(State{std::move(*database), path});
  sqlite3 *raw = state->database.get();
  if (pragma(raw, "SELECT count(*) FROM sqlite_master") == 0) {
    const auto create = [&] {
      if (!execute(raw, "PRAGMA journal_mode = WAL"))
        return false;
      Transaction transaction(raw);
      if (!transaction.isOpen() || !execute(raw, schema) ||
          !execute(raw, fmt::format("PRAGMA application_id = {}; "
                                    "PRAGMA user_version = {}",
                                    applicationId, schemaVersion)
                            .c_str()))
        return false;
      Statement campaign(raw, "INSERT INTO campaign VALUES (?)");
      if (!campaign.bind(identity).run())
        return false;
      Statement insert(raw, "INSERT INTO lane VALUES (?, ?, ?, ?, ?, ?)");
      for (std::size_t i = 0; i < lanes.size(); ++i)
        if (!insert
                 .bind(static_cast<std::uint64_t>(i), lanes[i].release,
                       lanes[i].version, lanes[i].passes, lanes[i].asRun,
                       lanes[i].expanded)
                 .run())
          return false;
      return transaction.commit();
    };
    if (!create()) {
      const Error error = state->error("create the database");
      state.reset();
      if (!existed)
        std::filesystem::remove(path);
      return error;
    }
  }
  execute(raw, "PRAGMA synchronous = NORMAL");
  Store store(std::move(state));
  if (store.identity() != identity)
    return Error{
        fmt::format("{}: holds another campaign ({}); choose another --db",
                    path, store.identity())};
  return store;
}

Result<Store> Store::open(const std::string &path) {
  if (!std::filesystem::exists(path))
    return Error{fmt::format("{}: no such database; `irsieve run --db` makes "
                             "one",
                             path)};
  auto database = openDatabase(path, false);
  if (!database)
    return database.error();
  return Store(std::make_unique<State>(State{std::move(*database), path}));
}

std::string Store::identity() const {
  Statement statement(state_->database.get(), "SELECT identity FROM campaign");
  return statement.step() ? statement.text(0) : std::string();
}

std::vector<Lane> Store::lanes() const {
  Statement statement(state_->database.get(),
                      "SELECT release, version, passes, as_run, expanded "
                      "FROM lane ORDER BY id");
  std::vector<Lane> lanes;
  while (statement.step())
    lanes.push_back({static_cast<unsigned>(statement.integer(0)),
                     statement.text(1), statement.text(2), statement.text(3),
                     statement.text(4)});
  return lanes;
}

namespace {

bool markDone(sqlite3 *database, std::uint64_t lane, PositionRange range) {
  Statement before(database,
                   "SELECT begin FROM done WHERE lane = ? AND end = ?");
  if (before.bind(lane, range.begin).step())
    range.begin = before.number(0);
  Statement after(database,
                  "SELECT end FROM done WHERE lane = ? AND begin = ?");
  if (after.bind(lane, range.end).step()) {
    const std::uint64_t joined = range.end;
    range.end = after.number(0);
    Statement erase(database, "DELETE FROM done WHERE lane = ? AND begin = ?");
    if (!erase.bind(lane, joined).run())
      return false;
  }
  Statement insert(database, "INSERT OR REPLACE INTO done VALUES (?, ?, ?)");
  return insert.bind(lane, range.begin, range.end).run();
}

bool addCounts(sqlite3 *database, std::uint64_t lane, std::uint64_t column,
               const Tally &tally) {
  Statement add(database,
                "INSERT INTO tally VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE "
                "SET value = value + excluded.value");
  for (std::size_t i = 0; i < counterSpelling.size(); ++i)
    if (tally.counts[i] != 0 &&
        !add.bind(lane, column, counterSpelling[i], tally.counts[i]).run())
      return false;
  return true;
}

bool addDigest(sqlite3 *database, std::uint64_t lane, std::uint64_t column,
               std::uint64_t part, Digest digest) {
  Statement read(database, "SELECT value FROM digest WHERE lane = ? AND "
                           "semantics = ? AND part = ?");
  if (read.bind(lane, column, part).step()) {
    const auto old = parseDigest(read.text(0));
    if (!old)
      return false;
    digest += *old;
  }
  Statement write(database,
                  "INSERT OR REPLACE INTO digest VALUES (?, ?, ?, ?)");
  return write.bind(lane, column, part, toString(digest)).run();
}

bool addTallies(sqlite3 *database, std::uint64_t lane, std::uint64_t part,
                const std::vector<Tally> &tallies) {
  for (std::uint64_t column = 0; column < tallies.size(); ++column)
    if (!addCounts(database, lane, column, tallies[column]) ||
        !addDigest(database, lane, column, part, tallies[column].digest))
      return false;
  return true;
}

bool addFindings(sqlite3 *database, std::uint64_t lane,
                 const ChunkResult &chunk, std::uint64_t keep) {
  Statement insert(
      database,
      "INSERT OR REPLACE INTO finding (lane, semantics, bucket, rank, "
      "rank_hash, name, kind, source, target, pass, detail, text) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const Finding &finding : chunk.findings)
    if (!insert
             .bind(lane, finding.column, finding.bucket, finding.rank,
                   rankHash(finding.rank), finding.name, finding.kind,
                   finding.source, finding.target, finding.pass, finding.detail,
                   finding.text)
             .run())
      return false;
  Statement count(database,
                  "INSERT INTO bucket VALUES (?, ?, ?, ?) ON CONFLICT DO "
                  "UPDATE SET count = count + excluded.count");
  // Unsigned order of a signed column: negative values come last.
  Statement trim(
      database,
      "DELETE FROM finding WHERE lane = ?1 AND semantics = ?2 AND bucket = ?3 "
      "AND rank NOT IN (SELECT rank FROM finding WHERE lane = ?1 AND "
      "semantics = ?2 AND bucket = ?3 ORDER BY rank LIMIT ?4) "
      "AND rank NOT IN (SELECT rank FROM finding WHERE lane = ?1 AND "
      "semantics = ?2 AND bucket = ?3 ORDER BY rank_hash < 0, rank_hash "
      "LIMIT ?4)");
  for (const ChunkResult::BucketCount &bucket : chunk.buckets)
    if (!count.bind(lane, bucket.column, bucket.bucket, bucket.count).run() ||
        !trim.bind(lane, bucket.column, bucket.bucket, keep).run())
      return false;
  return true;
}

bool addOmissions(sqlite3 *database, std::uint64_t lane,
                  const std::vector<Omission> &omissions) {
  Statement add(
      database,
      "INSERT INTO omission VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
      "SET count = count + excluded.count, "
      "example_text = iif(excluded.example_rank < example_rank, "
      "excluded.example_text, example_text), "
      "example_rank = min(example_rank, excluded.example_rank)");
  return std::all_of(
      omissions.begin(), omissions.end(), [&](const Omission &omission) {
        return add
            .bind(lane, omission.column, omission.word, omission.reason,
                  omission.count, omission.exampleRank, omission.exampleText)
            .run();
      });
}

/// Entries of a lane's log that are put together at a time.
constexpr std::uint64_t longestLog = 1U << 18;

/// Puts what is kept, and nothing else, in the place of table and log.
bool replaceRewrites(sqlite3 *database, std::uint64_t lane,
                     const RewriteMap &all) {
  for (const char *sql : {"DELETE FROM rewrite WHERE lane = ?",
                          "DELETE FROM rewrite_log WHERE lane = ?"})
    if (!Statement(database, sql).bind(lane).run())
      return false;
  Statement insert(database, "INSERT INTO rewrite VALUES (?, ?, ?)");
  return std::all_of(all.begin(), all.end(), [&](const auto &entry) {
    return insert.bind(lane, entry.first, packRewrites({&entry.second, 1}))
        .run();
  });
}

} // namespace

Result<std::monostate> Store::commit(std::size_t lane, const ChunkResult &chunk,
                                     std::uint64_t keep, std::uint64_t part) {
  assert(chunk.begin < chunk.end);
  sqlite3 *raw = state_->database.get();
  const auto laneId = static_cast<std::uint64_t>(lane);
  const auto addRewrites = [&] {
    State::Rewrites &lately = state_->rewritesOf(laneId);
    std::vector<Rewrite> log;
    for (Rewrite &each : unpackRewrites(chunk.rewrites)) {
      if (each.hash > lately.highest)
        continue;
      if (!lately.known.insert(each.hash).second)
        each.form.clear();
      log.push_back(std::move(each));
    }
    if (log.empty())
      return true;
    if (!Statement(raw, "INSERT INTO rewrite_log VALUES (?, ?, ?)")
             .bind(laneId, chunk.begin, packRewrites(log))
             .run())
      return false;
    lately.logged += log.size();
    if (lately.logged < longestLog)
      return true;
    lately.logged = 0;
    const RewriteMap all = allRewrites(raw, laneId);
    lately.look(all);
    return replaceRewrites(raw, laneId, all);
  };
  Transaction transaction(raw);
  if (!transaction.isOpen() ||
      !markDone(raw, laneId, {chunk.begin, chunk.end}) ||
      !addTallies(raw, laneId, part, chunk.tallies) ||
      !addFindings(raw, laneId, chunk, keep) ||
      !addOmissions(raw, laneId, chunk.omissions) || !addRewrites() ||
      !transaction.commit())
    return state_->error("store results");
  return std::monostate();
}

Result<bool> Store::fold(const Store &other, std::size_t lane,
                         std::uint64_t keep) {
  sqlite3 *raw = state_->database.get();
  const Transaction snapshot(other.state_->database.get(), "BEGIN");
  Transaction transaction(raw);
  const std::vector<PositionRange> here = done(lane);
  const std::vector<PositionRange> there = other.done(lane);
  const auto isIn = [&](const PositionRange &range) {
    return std::any_of(here.begin(), here.end(), [&](const PositionRange &has) {
      return has.begin <= range.begin && range.end <= has.end;
    });
  };
  if (std::all_of(there.begin(), there.end(), isIn))
    return false;
  for (const PositionRange &range : there)
    for (const PositionRange &has : here)
      if (std::max(has.begin, range.begin) < std::min(has.end, range.end))
        return Error{fmt::format(
            "{} holds a part of it already (positions {} to {}); merge all "
            "databases into a new one",
            state_->path, std::max(has.begin, range.begin),
            std::min(has.end, range.end))};

  const auto laneId = static_cast<std::uint64_t>(lane);
  const auto add = [&] {
    for (const PositionRange &range : there)
      if (!markDone(raw, laneId, range))
        return false;
    for (std::uint64_t column = 0; column < other.columns(); ++column) {
      if (!addCounts(raw, laneId, column, other.tally(lane, column)))
        return false;
      const std::vector<Digest> digests = other.digests(lane, column);
      for (std::uint64_t part = 0; part < digests.size(); ++part)
        if (!addDigest(raw, laneId, column, part, digests[part]))
          return false;
    }
    RewriteMap all = allRewrites(raw, laneId);
    for (const Rewrite &each : other.rewrites(lane)) {
      const auto [entry, isNew] = all.try_emplace(each.hash, each);
      if (isNew)
        continue;
      entry->second.count += each.count;
      entry->second.firstRank =
          std::min(entry->second.firstRank, each.firstRank);
    }
    if (!replaceRewrites(raw, laneId, all))
      return false;
    state_->rewrites.erase(laneId);
    ChunkResult results;
    results.buckets = other.buckets(lane);
    results.findings = other.findings(lane);
    return addFindings(raw, laneId, results, keep) &&
           addOmissions(raw, laneId, other.omissions(lane));
  };
  if (!transaction.isOpen() || !add() || !transaction.commit())
    return state_->error("store results");
  return true;
}

std::vector<PositionRange> Store::done(std::size_t lane) const {
  Statement statement(state_->database.get(),
                      "SELECT begin, end FROM done WHERE lane = ? "
                      "ORDER BY begin < 0, begin");
  statement.bind(static_cast<std::uint64_t>(lane));
  std::vector<PositionRange> ranges;
  while (statement.step())
    ranges.push_back({statement.number(0), statement.number(1)});
  return ranges;
}

Tally Store::tally(std::size_t lane, std::size_t column) const {
  Tally tally;
  const auto laneId = static_cast<std::uint64_t>(lane);
  const auto columnId = static_cast<std::uint64_t>(column);
  Statement counts(state_->database.get(),
                   "SELECT counter, value FROM tally WHERE lane = ? AND "
                   "semantics = ?");
  counts.bind(laneId, columnId);
  while (counts.step()) {
    const auto *found = std::find(counterSpelling.begin(),
                                  counterSpelling.end(), counts.text(0));
    if (found != counterSpelling.end())
      tally.counts[found - counterSpelling.begin()] = counts.number(1);
  }
  for (const Digest &part : digests(lane, column))
    tally.digest += part;
  return tally;
}

std::vector<Digest> Store::digests(std::size_t lane, std::size_t column) const {
  Statement statement(state_->database.get(),
                      "SELECT part, value FROM digest WHERE lane = ? AND "
                      "semantics = ? ORDER BY part");
  statement.bind(static_cast<std::uint64_t>(lane),
                 static_cast<std::uint64_t>(column));
  std::vector<Digest> digests;
  while (statement.step())
    if (const auto digest = parseDigest(statement.text(1))) {
      digests.resize(statement.number(0) + 1);
      digests.back() = *digest;
    }
  return digests;
}

Result<std::monostate> Store::check() const {
  const auto damaged = [&](std::string_view what) {
    return Error{fmt::format("{}: damaged: {}", state_->path, what)};
  };
  {
    Statement statement(state_->database.get(), "PRAGMA quick_check(1)");
    if (!statement.step())
      return damaged(sqlite3_errmsg(state_->database.get()));
    if (statement.text(0) != "ok")
      return damaged(statement.text(0));
  }
  const std::uint64_t columns = this->columns();
  for (std::size_t lane = 0; lane < lanes().size(); ++lane)
    for (std::size_t column = 0; column < columns; ++column) {
      Digest sum;
      for (const Digest &part : digests(lane, column))
        sum += part;
      if (sum != tally(lane, column).digest)
        return damaged("digests do not add up");
    }
  return std::monostate();
}

std::vector<Omission> Store::omissions(std::size_t lane) const {
  Statement statement(state_->database.get(),
                      "SELECT semantics, word, reason, count, example_rank, "
                      "example_text FROM omission WHERE lane = ? "
                      "ORDER BY semantics, word, reason");
  statement.bind(static_cast<std::uint64_t>(lane));
  std::vector<Omission> omissions;
  while (statement.step())
    omissions.push_back({static_cast<int>(statement.integer(0)),
                         statement.text(1), statement.text(2),
                         statement.number(3), statement.rank(4),
                         statement.text(5)});
  return omissions;
}

std::vector<Finding> Store::findings(std::size_t lane) const {
  Statement statement(
      state_->database.get(),
      "SELECT semantics, rank, name, kind, bucket, source, target, pass, "
      "detail, text, bug FROM finding WHERE lane = ? "
      "ORDER BY semantics, bucket, rank < 0, rank");
  statement.bind(static_cast<std::uint64_t>(lane));
  std::vector<Finding> findings;
  while (statement.step())
    findings.push_back({static_cast<int>(statement.integer(0)),
                        statement.rank(1), statement.text(2), statement.text(3),
                        statement.text(4), statement.blob(5), statement.blob(6),
                        statement.text(7), statement.text(8), statement.text(9),
                        statement.text(10)});
  return findings;
}

std::vector<ChunkResult::BucketCount> Store::buckets(std::size_t lane) const {
  Statement statement(state_->database.get(),
                      "SELECT semantics, signature, count FROM bucket WHERE "
                      "lane = ? ORDER BY semantics, signature");
  statement.bind(static_cast<std::uint64_t>(lane));
  std::vector<ChunkResult::BucketCount> buckets;
  while (statement.step())
    buckets.push_back({static_cast<int>(statement.integer(0)),
                       statement.text(1), statement.number(2)});
  return buckets;
}

std::vector<Rewrite> Store::rewrites(std::size_t lane) const {
  std::vector<Rewrite> rewrites;
  for (auto &[hash, rewrite] :
       allRewrites(state_->database.get(), static_cast<std::uint64_t>(lane)))
    rewrites.push_back(rewrite);
  return rewrites;
}

std::vector<std::uint64_t> Store::rewriteHashes(std::size_t lane) const {
  const auto &known =
      state_->rewritesOf(static_cast<std::uint64_t>(lane)).known;
  std::vector<std::uint64_t> hashes(known.begin(), known.end());
  std::sort(hashes.begin(), hashes.end());
  hashes.resize(std::min<std::size_t>(hashes.size(), keptRewrites));
  return hashes;
}

std::uint64_t Store::columns() const {
  Statement statement(state_->database.get(),
                      "SELECT coalesce(max(semantics) + 1, 0) FROM tally");
  return statement.step() ? statement.number(0) : 0;
}

std::uint64_t Store::bucketCount(std::size_t lane, int column,
                                 const std::string &bucket) const {
  Statement statement(state_->database.get(),
                      "SELECT count FROM bucket WHERE lane = ? AND semantics "
                      "= ? AND signature = ?");
  statement.bind(static_cast<std::uint64_t>(lane), column, bucket);
  return statement.step() ? statement.number(0) : 0;
}

Result<std::monostate>
Store::saveBugs(const std::vector<BugRecord> &bugs,
                const std::vector<Assignment> &assignments) {
  sqlite3 *raw = state_->database.get();
  Transaction transaction(raw);
  const auto save = [&] {
    if (!transaction.isOpen() || !execute(raw, "DELETE FROM bug") ||
        !execute(raw, "UPDATE finding SET bug = ''"))
      return false;
    Statement insert(raw, "INSERT INTO bug VALUES (?, ?)");
    for (const BugRecord &bug : bugs)
      if (!insert.bind(bug.id, bug.document).run())
        return false;
    // The whole primary key: anything less scans.
    Statement assign(raw, "UPDATE finding SET bug = ? WHERE lane = ? AND "
                          "semantics = ? AND bucket = ? AND rank = ?");
    for (const Assignment &assignment : assignments)
      if (!assign
               .bind(assignment.bug,
                     static_cast<std::uint64_t>(assignment.lane),
                     assignment.column, assignment.bucket, assignment.rank)
               .run())
        return false;
    return transaction.commit();
  };
  if (!save())
    return state_->error("store bugs");
  return std::monostate();
}

Result<std::monostate> Store::decide(const Decision &decision) {
  sqlite3 *raw = state_->database.get();
  if (!Statement(raw, "INSERT OR REPLACE INTO decision VALUES (?, ?)")
           .bind(decision.bug, decision.target)
           .run())
    return state_->error("store a decision");
  return std::monostate();
}

Result<std::monostate> Store::forgetDecision(const std::string &bug) {
  sqlite3 *raw = state_->database.get();
  if (!Statement(raw, "DELETE FROM decision WHERE bug = ?").bind(bug).run())
    return state_->error("forget a decision");
  return std::monostate();
}

std::vector<Store::Decision> Store::decisions() const {
  Statement statement(state_->database.get(),
                      "SELECT bug, target FROM decision ORDER BY bug");
  std::vector<Decision> decisions;
  while (statement.step())
    decisions.push_back({statement.text(0), statement.text(1)});
  return decisions;
}

std::vector<BugRecord> Store::bugs() const {
  Statement statement(state_->database.get(),
                      "SELECT id, document FROM bug ORDER BY id");
  std::vector<BugRecord> bugs;
  while (statement.step())
    bugs.push_back({statement.text(0), statement.text(1)});
  return bugs;
}

std::string Store::certificate() const {
  Statement statement(state_->database.get(),
                      "SELECT document FROM certificate");
  return statement.step() ? statement.text(0) : std::string();
}

Result<std::monostate> Store::saveCertificate(const std::string &document) {
  sqlite3 *raw = state_->database.get();
  Transaction transaction(raw);
  Statement insert(raw, "INSERT INTO certificate VALUES (?)");
  if (!transaction.isOpen() || !execute(raw, "DELETE FROM certificate") ||
      !insert.bind(document).run() || !transaction.commit())
    return state_->error("store the certificate");
  return std::monostate();
}

} // namespace corpus
