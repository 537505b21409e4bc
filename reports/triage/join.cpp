// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/join.h"

#include "corpus/program/canonical.h"
#include "corpus/program/encode.h"
#include "reports/triage/known.h"
#include "reports/triage/signature.h"
#include "runner/crash_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace reports {
namespace {

using checker::Kind;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

bool isFailure(const Bug &bug) {
  return bug.kind == Kind::crash || bug.kind == Kind::invalid ||
         bug.kind == Kind::nondeterministic || bug.kind == Kind::hang;
}

bool isOutOfRange(const Operand &index, corpus::Type vector) {
  return index.is(Operand::Kind::constant) && index.type.isInteger() &&
         index.payload >= vector.lanes();
}

/// How many lanes there are is no matter to a pass that fails on one.
bool isAlike(corpus::Type a, corpus::Type b) {
  return a == b || (a.isVector() && b.isVector() && a.lane(0) == b.lane(0));
}

/// A constant of `small` that `large` has as well, or a value, which may be
/// anything there.
bool isSame(const Program &small, const Instruction &a, const Program &large,
            const Instruction &b, std::size_t operand) {
  const Operand &before = small.operandsOf(a)[operand];
  const Operand &after = large.operandsOf(b)[operand];
  if (!isAlike(before.type, after.type))
    return false;
  const bool isIndex = (a.opcode == Opcode::extractelement && operand == 1) ||
                       (a.opcode == Opcode::insertelement && operand == 2);
  if (isIndex && isOutOfRange(before, small.operandsOf(a)[0].type))
    return isOutOfRange(after, large.operandsOf(b)[0].type);
  return !before.isLiteral() || before == after;
}

bool isSame(const Program &small, const Instruction &a, const Program &large,
            const Instruction &b) {
  if (a.opcode != b.opcode || !isAlike(a.type, b.type) ||
      a.operandCount != b.operandCount ||
      std::any_of(corpus::flagTable.begin(), corpus::flagTable.end(),
                  [&](const corpus::FlagInfo &row) {
                    return a.flags.has(row.flag) && !b.flags.has(row.flag);
                  }))
    return false;
  for (std::size_t i = 0; i < a.operandCount; ++i)
    if (!isSame(small, a, large, b, i))
      return false;
  return true;
}

bool isPartOf(const Program &small, const Program &large) {
  if (!small.isStraightLine() || small.instructionCount() == 0)
    return false;
  std::vector<bool> isTaken(large.instructions.size(), false);
  for (const Instruction &each : small.instructions) {
    if (corpus::info(each.opcode).isTerminator())
      continue;
    std::size_t i = 0;
    while (i < large.instructions.size() &&
           (isTaken[i] || !isSame(small, each, large, large.instructions[i])))
      ++i;
    if (i == large.instructions.size())
      return false;
    isTaken[i] = true;
  }
  return true;
}

std::size_t flagCount(const Program &program) {
  std::size_t count = 0;
  for (const Instruction &each : program.instructions)
    count += static_cast<std::size_t>(std::count_if(
        corpus::flagTable.begin(), corpus::flagTable.end(),
        [&](const corpus::FlagInfo &row) { return each.flags.has(row.flag); }));
  return count;
}

bool areBeside(const Bug &bug, const Bug &other) {
  if (bug.pass != other.pass ||
      (bug.kind == Kind::hang) != (other.kind == Kind::hang))
    return false;
  if (bug.releases.empty() || other.releases.empty())
    return optimizersText(bug) == optimizersText(other);
  return std::any_of(
      bug.releases.begin(), bug.releases.end(), [&](unsigned release) {
        return std::find(other.releases.begin(), other.releases.end(),
                         release) != other.releases.end();
      });
}

void joinUnrepeated(std::span<Bug *const> failures) {
  for (Bug *bug : failures) {
    if (bug->kind != Kind::crash || runner::isRepeated(bug->detail))
      continue;
    std::set<std::string> repeated;
    for (const Bug *other : failures)
      if (other->kind == Kind::crash && runner::isRepeated(other->detail) &&
          areBeside(*other, *bug))
        repeated.insert(other->root);
    if (repeated.size() == 1) {
      bug->root = *repeated.begin();
      continue;
    }
    // What damaged the memory may be any of them, or none.
    const auto first =
        std::find_if(failures.begin(), failures.end(), [&](const Bug *other) {
          return other->kind == Kind::crash &&
                 !runner::isRepeated(other->detail) && areBeside(*other, *bug);
        });
    bug->root = (*first)->root; // itself at the latest
  }
}

void joinFailures(std::vector<Bug> &bugs) {
  std::vector<Bug *> failures;
  for (Bug &bug : bugs)
    if (isFailure(bug))
      failures.push_back(&bug);
  std::sort(failures.begin(), failures.end(), [](const Bug *a, const Bug *b) {
    const auto key = [](const Bug &bug) {
      return std::tuple(bug.source.blocks.size(), bug.source.instructionCount(),
                        flagCount(bug.source), std::string_view(bug.id));
    };
    return key(*a) < key(*b);
  });
  for (std::size_t i = 0; i < failures.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (areBeside(*failures[j], *failures[i]) &&
          isPartOf(failures[j]->source, failures[i]->source)) {
        failures[i]->root = failures[j]->root;
        break;
      }
  joinUnrepeated(failures);
}

void joinKnown(std::vector<Bug> &bugs) {
  std::map<std::string, std::set<std::string>> becomes;
  for (const Bug &bug : bugs) {
    if (!bug.known)
      continue;
    const std::vector<std::string> roots = rootsOfKnown(bug.known->id);
    if (std::find(roots.begin(), roots.end(), bug.root) != roots.end())
      becomes[bug.root].insert(roots.front());
  }
  for (Bug &bug : bugs)
    if (const auto found = becomes.find(bug.root);
        found != becomes.end() && found->second.size() == 1)
      bug.root = *found->second.begin();
}

/// Rows that may become one.
class Rows {
public:
  struct Row {
    std::string root;
    std::set<std::string> known; ///< ids
    std::vector<const Bug *> bugs;
    Row *joined = nullptr; ///< is one with
  };

  explicit Rows(const std::vector<Bug> &bugs) {
    for (const Bug &bug : bugs) {
      Row &row = rows_[bug.root];
      row.root = bug.root;
      row.bugs.push_back(&bug);
      if (bug.known && !bug.known->id.empty())
        row.known.insert(bug.known->id);
    }
  }

  /// Requires the root of one of the bugs.
  Row &of(const std::string &root) {
    Row *row = &rows_.at(root);
    while (row->joined != nullptr)
      row = row->joined;
    return *row;
  }

  static void join(Row &row, Row &into) {
    row.joined = &into;
    into.known.insert(row.known.begin(), row.known.end());
    into.bugs.insert(into.bugs.end(), row.bugs.begin(), row.bugs.end());
  }

  /// The root of its row to each of them.
  void give(std::vector<Bug> &bugs) {
    for (Bug &bug : bugs)
      bug.root = of(bug.root).root;
  }

private:
  std::map<std::string, Row> rows_;
};

bool areApart(const Rows::Row &a, const Rows::Row &b) {
  return std::any_of(a.bugs.begin(), a.bugs.end(), [&](const Bug *one) {
    return std::any_of(b.bugs.begin(), b.bugs.end(), [&](const Bug *other) {
      return areApart(one->window, other->window);
    });
  });
}

void joinKin(std::vector<Bug> &bugs) {
  std::map<std::pair<std::string_view, std::string>, std::set<std::string>>
      kins;
  for (const Bug &bug : bugs)
    if (!bug.kin.empty() && !bug.window.empty())
      kins[{canonicalPass(bug.pass), bug.kin}].insert(bug.root);
  Rows rows(bugs);
  for (const auto &[kin, roots] : kins) {
    // What is known keeps its root; else it is no matter which one stays, as
    // long as it is always the same.
    std::vector<Rows::Row *> alike;
    std::set<std::string> known;
    for (const std::string &root : roots) {
      Rows::Row &row = rows.of(root);
      known.insert(row.known.begin(), row.known.end());
      if (std::find(alike.begin(), alike.end(), &row) == alike.end())
        alike.push_back(&row);
    }
    if (known.size() > 1)
      continue;
    std::stable_partition(alike.begin(), alike.end(), [](const Rows::Row *row) {
      return !row->known.empty();
    });
    std::vector<Rows::Row *> kept;
    for (Rows::Row *row : alike) {
      const auto same =
          std::find_if(kept.begin(), kept.end(), [&](const Rows::Row *other) {
            return !areApart(*row, *other);
          });
      if (same == kept.end())
        kept.push_back(row);
      else
        Rows::join(*row, **same);
    }
  }
  rows.give(bugs);
}

void joinPairs(std::vector<Bug> &bugs) {
  Rows rows(bugs);
  std::map<std::pair<corpus::Bytes, corpus::Bytes>, std::string> rootOf;
  for (const Bug &bug : bugs) {
    if (!bug.target)
      continue;
    const auto [entry, isNew] = rootOf.try_emplace(
        {corpus::encode(bug.source),
         corpus::encode(corpus::withoutDeadInstructions(*bug.target))},
        bug.root);
    Rows::Row &before = rows.of(entry->second);
    Rows::Row &here = rows.of(bug.root);
    // Which one stays is no matter, as long as it is always the same.
    if (before.root < here.root)
      Rows::join(here, before);
    else if (here.root < before.root)
      Rows::join(before, here);
  }
  rows.give(bugs);
}

/// The bug of corpus/known, by its id, or its issues, of which several may have
/// the same (knownRoot); empty for a bug that is none.
std::string mistakeOf(const Bug &bug) {
  if (!bug.known || bug.known->id.empty())
    return "";
  if (bug.known->issues.empty())
    return bug.known->id;
  return fmt::format("{}", fmt::join(bug.known->issues, " "));
}

void splitKnown(std::vector<Bug> &bugs) {
  std::map<std::string, std::vector<Bug *>> rows;
  for (Bug &bug : bugs)
    rows[bug.root].push_back(&bug);
  for (const auto &[root, forms] : rows) {
    std::map<std::string, std::set<std::string>> titles; // by mistake
    std::map<std::string, std::string> newRoots;
    for (const Bug *form : forms)
      if (const std::string mistake = mistakeOf(*form); !mistake.empty()) {
        titles[mistake].insert(form->title);
        const auto signatures = signaturesOfKnown(form->known->id);
        newRoots.try_emplace(mistake, signatures.empty() ? form->id
                                                         : signatures.front());
      }
    if (titles.size() < 2)
      continue;
    // The first one keeps the row, with what reads like none of them.
    newRoots.begin()->second = root;
    for (Bug *form : forms) {
      const std::string own = mistakeOf(*form);
      const auto mistake =
          !own.empty()
              ? titles.find(own)
              : std::find_if(titles.begin(), titles.end(),
                             [&](const auto &each) {
                               return each.second.contains(form->title);
                             });
      if (mistake != titles.end())
        form->root = newRoots.at(mistake->first);
    }
  }
}

} // namespace

void joinRows(std::vector<Bug> &bugs) {
  joinKnown(bugs);
  joinKin(bugs);
  joinPairs(bugs);
  joinFailures(bugs);
  splitKnown(bugs);
}

} // namespace reports
