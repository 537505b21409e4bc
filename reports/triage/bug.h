// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Bug: all findings with one signature, as one small function that shows it;
// and a Row: all bugs with one root, which is what a reader counts.
// Threads: a value type.
#pragma once

#include "checker/semantics/verdict.h"
#include "corpus/program/encode.h"
#include "corpus/program/program.h"
#include "runner/backend.h"
#include "runner/command.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reports {

/// Which of the installed releases show the bug, each asked with the pass
/// spelling that it takes. All ascending.
struct Window {
  std::vector<unsigned> wrong;
  std::vector<unsigned> right;
  /// Those that lack the pass, an instruction or a flag: neither right nor
  /// wrong.
  std::vector<unsigned> cannotExpress;
  std::vector<unsigned> undecided; ///< what they made of it was not decided
  std::vector<unsigned> otherwise; ///< they crash on it, or make invalid IR
  bool empty() const {
    return wrong.empty() && right.empty() && cannotExpress.empty() &&
           undecided.empty() && otherwise.empty();
  }
};

/// Each is wrong in a release in which the other is right.
bool areApart(const Window &a, const Window &b);

/// Which integer widths show the bug when the reduced source is optimized again
/// with its width replaced. All ascending.
struct Widths {
  std::vector<unsigned> wrong;
  std::vector<unsigned> right;
  std::vector<unsigned> unknown; ///< could not be asked, or was not decided
  bool empty() const {
    return wrong.empty() && right.empty() && unknown.empty();
  }
};

/// The smallest change of the target that makes it refine the source.
struct Repair {
  std::string text; ///< "drop nsw of %v1", "freeze %a in %v0"
  corpus::Program target;
};

/// A flag of the source that decides.
struct SourceFlag {
  enum class Role : std::uint8_t {
    needed, ///< the source has it; without it the bug does not show
    cure,   ///< the source lacks it; with it the same target would be right
  };
  std::string flag;        ///< "nsw"
  std::string instruction; ///< "%v0"
  Role role = Role::needed;
  friend bool operator==(const SourceFlag &, const SourceFlag &) = default;
};

/// A bug that was known before this campaign.
struct Known {
  std::string id;                  ///< "kb19"; empty for another campaign's
  std::vector<std::string> issues; ///< "llvm/llvm-project#59301"
  std::string campaign; ///< the file that it was seen in, where there is no id
};

/// One run of one pass inside a pipeline, as -opt-bisect-limit counts them.
struct PassInstance {
  unsigned index = 0; ///< from 1
  std::string name;   ///< "simplifycfg"
};

struct Bug {
  std::string id; ///< the signature, twelve hexadecimal digits
  checker::Kind kind = checker::Kind::value;
  std::string pass; ///< culprit, as -passes= spells it
  /// What its row shares, twelve hexadecimal digits of the pass and the fault
  /// (reports/triage/fault.h).
  std::string root;
  std::string kin;   ///< of the fault; empty for a bug of an older program
  std::string title; ///< the fault in words: "keeps `nsw` on `mul i1`"

  /// Lanes and columns of the campaign with findings of it.
  std::vector<runner::BugLine::Place> shownBy;
  /// That show it, ascending; none for one that only an own LLVM showed.
  std::vector<unsigned> releases;
  std::vector<std::string>
      pipelines; ///< that show it, as the user spelled them
  /// That show it, in the campaign's order; all of them for a crash.
  std::vector<std::string> semantics;
  /// Functions that show it, in the lane and column where most do; exact unless
  /// the campaign kept only a sample of some kind of finding.
  std::uint64_t functions = 0;
  bool functionsExact = true;
  std::vector<std::string> examples; ///< names of a few of them

  // The function that stands for all, and where it was reproduced.
  corpus::Program source; ///< what the culprit is given
  /// What the pipeline is given, where the culprit alone is not enough.
  std::optional<corpus::Program> input;
  std::optional<corpus::Program> target; ///< of a wrong result
  unsigned release = 0;                  ///< the newest that shows the bug
  runner::Pipeline pipeline; ///< the culprit alone where that is enough
  std::string asRun;         ///< `pipeline.passes` as that release spells it
  std::string checkedUnder;  ///< the semantics of `verdict`
  /// Why (source, target) is wrong, with its witness. Not stored: made again
  /// from the programs.
  checker::Verdict verdict;
  std::string detail; ///< the crash's line, or the verifier's message

  // What else triage finds out; empty where it did not ask or has no answer.
  Window window;
  Widths widths;
  Widths lanes; ///< of vectors, as `widths`; 0: on scalars
  std::optional<Repair> repair;
  std::vector<SourceFlag> flags;
  std::optional<Known> known;
  /// Inside the pipeline of `command`, where that is more than the culprit.
  std::optional<PassInstance> instance;
};

/// What a finding of a store has for a program.
corpus::Program storedProgram(const corpus::Bytes &bytes);

/// What a Checker says of the pair under `checkedUnder`, with the witness.
/// Requires a target and a semantics that parses.
checker::Verdict explain(const Bug &bug);

/// Row by row, of a row what is known and then the smallest first; rows with
/// nothing known before the others, by kind, pass, root. Joins rows
/// (join.h) first.
void sortForReaders(std::vector<Bug> &bugs);

/// Bugs with one root: one mistake of a pass, in different forms.
struct Row {
  /// The first form, with the releases, pipelines, semantics and functions of
  /// all of them.
  Bug bug;
  std::span<const Bug> forms; ///< not empty
};
/// Requires the order of sortForReaders(); `bugs` outlives the rows.
std::vector<Row> rowsOf(std::span<const Bug> bugs);
/// "1 bug", "2 bugs in 5 forms".
std::string countText(std::span<const Row> rows);

/// "14, 22", or the name or path of the own LLVM that alone showed it.
std::string optimizersText(const Bug &bug);
/// What `opt` is given beside the function, quoted for a shell:
/// `-passes='gvn' -mtriple='x86_64'`.
std::string optArguments(const Bug &bug);
/// The function that `opt` is given.
const corpus::Program &optInput(const Bug &bug);
/// The `opt` command that shows the bug, with the function in a here-document:
/// ready to be pasted into a shell.
std::string command(const Bug &bug);
/// One line that shows the change: `mul i1 %a, %b -> mul nsw i1 %a, %b`.
std::string oneLine(const Bug &bug);
/// What a kind means: "poison where the source has none".
std::string_view titleOf(checker::Kind kind);
/// The title; of a bug of an older program what its kind means.
std::string headline(const Bug &bug);
/// Neither side branches, so that oneLine() shows the change.
bool isStraight(const Bug &bug);
/// One line for the end of a run.
std::string summaryLine(const Bug &bug);
std::string summaryLine(const Row &row);
/// "4 functions", "about 4000 functions".
std::string functionsText(const Bug &bug);

// One line each for what triage found out; empty where it found nothing out.

/// "wrong since <= 13, fixed in (16, 19]", "right in 13, wrong since (13, 14],
/// not fixed in 22", "...; 13 cannot express it".
std::string windowText(const Bug &bug);
/// "wrong for i1, i8-i64; right for i2-i7".
std::string widthsText(const Bug &bug);
/// "wrong for 2-4 lanes; right for scalars".
std::string lanesText(const Bug &bug);
/// "drop nsw of %v1".
std::string repairText(const Bug &bug);
/// "needs nsw of %v0; would be right with nuw of %v0".
std::string flagsText(const Bug &bug);
/// "kb19 (llvm/llvm-project#59301)", "seen in monday.db".
std::string knownText(const Bug &bug);
/// "pass 17 (simplifycfg)".
std::string instanceText(const Bug &bug);

} // namespace reports
