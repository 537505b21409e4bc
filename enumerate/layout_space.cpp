// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/layout_space.h"

#include "corpus/program/canonical.h"
#include "enumerate/assembler.h"
#include "enumerate/mismatch.h"
#include "enumerate/operand_walk.h"
#include "enumerate/rank_cursor.h"
#include "enumerate/skeleton_walk.h"
#include "enumerate/spec_space.h"
#include "enumerate/type_orders.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace enumerate {

using corpus::Program;
using corpus::Result;
using corpus::Type;
using Kind = Decision::Kind;

namespace {

/// An option and a choice of it.
struct Chosen {
  Decision decision;
  std::uint64_t choice = 0;
  Rank functions = 0; ///< behind it
};

/// The option of a walk that `rank` goes through; it becomes the rank behind
/// it.
template <typename Walk> Chosen choose(Walk &walk, Rank &rank) {
  for (auto options = walk.options(); !options.empty();
       options = walk.options())
    for (const Option &option : options) {
      const Rank all = option.each * option.decision.choices;
      if (rank < all) {
        const auto choice = static_cast<std::uint64_t>(rank / option.each);
        rank -= choice * option.each;
        return {option.decision, choice, option.each};
      }
      rank -= all;
    }
  assert(false && "a rank is less than the sum of all options");
  return {};
}

/// Adds to `rank` what comes before the choice for which match(decision) is
/// something. Where there is none, `others` are all decisions.
template <typename Walk, typename Match>
std::optional<Chosen> find(Walk &walk, Rank &rank, const Match &match,
                           std::vector<Decision> &others) {
  others.clear();
  Rank before = 0;
  for (auto options = walk.options(); !options.empty();
       options = walk.options())
    for (const Option &option : options) {
      if (const std::optional<std::uint64_t> choice = match(option.decision)) {
        rank += before + *choice * option.each;
        return Chosen{option.decision, *choice, option.each};
      }
      before += option.each * option.decision.choices;
      others.push_back(option.decision);
    }
  return std::nullopt;
}

class LayoutSpace final : public SpecSpace {
public:
  LayoutSpace(SpaceSpec spec, std::unique_ptr<const LayoutTables> tables,
              Layouts layouts)
      : SpecSpace(std::move(spec)), tables_(std::move(tables)),
        grammar_(tables_->grammar()), layouts_(std::move(layouts)) {}

  std::optional<Symmetry> symmetry() const override {
    return parsed().symmetry;
  }
  Rank count() const override { return layouts_.count(); }

  Program at(Rank rank) const override {
    Layout layout = layouts_.at(rank);
    return isNarrow(layout.functions)
               ? at<std::uint64_t>(std::move(layout), rank)
               : at<Rank>(std::move(layout), rank);
  }

  std::unique_ptr<Cursor> from(Rank rank) const override {
    return std::make_unique<RankCursor>(*this, rank);
  }

private:
  /// Whether numbers of 64 bits do to tell so many functions apart.
  bool isNarrow(Rank functions) const {
    return functions <= std::numeric_limits<std::uint64_t>::max() /
                            tables_->points().divisor(0);
  }

  /// `rank`: in the layout.
  template <typename Number> Program at(Layout layout, Rank rank) const {
    const Skeleton skeleton = skeletonAt<Number>(std::move(layout), rank);
    Assembler assembler(grammar_);
    assemble(skeleton, assembler);
    OperandWalk<Number> walk(*tables_, skeleton);
    addOperands(walk, rank, assembler);
    return assembler.take();
  }

  template <typename Number>
  void addOperands(OperandWalk<Number> &walk, Rank &rank,
                   Assembler &assembler) const {
    while (!walk.isComplete()) {
      const Chosen chosen = choose(walk, rank);
      assembler.apply(chosen.decision, chosen.choice);
      walk.take(chosen.decision);
      if constexpr (std::is_same_v<Number, Rank>)
        if (isNarrow(chosen.functions)) {
          OperandWalk<std::uint64_t> narrow(walk);
          return addOperands(narrow, rank, assembler);
        }
    }
  }

  /// `rank` becomes the rank among the functions with that skeleton.
  template <typename Number>
  Skeleton skeletonAt(Layout layout, Rank &rank) const {
    using Stage = typename SkeletonWalk<Number>::Stage;
    Skeleton skeleton{std::move(layout), {}, {}};
    SkeletonWalk<Number> walk(*tables_, skeleton.layout);
    addEnds(skeleton);
    skeleton.instructions.reserve(parsed().instructions);
    while (walk.stage() != Stage::complete) {
      const Chosen chosen = choose(walk, rank);
      if (walk.stage() == Stage::phis) {
        for (const std::uint8_t type : typeOrderAt(
                 tables_->counts()[chosen.decision.index], chosen.choice))
          skeleton.instructions.push_back({tables_->phiGroup(type), 0});
      } else if (walk.stage() == Stage::instruction) {
        skeleton.instructions.push_back({chosen.decision.index, chosen.choice});
      } else {
        skeleton.ends[walk.switchBlock()] = {chosen.decision.type,
                                             chosen.choice};
      }
      walk.take(chosen.decision);
    }
    return skeleton;
  }

  const Exit &exitOf(const Skeleton &skeleton, std::size_t block) const {
    return grammar_.cfgs()[skeleton.layout.cfg].exits[block];
  }

  /// What follows from the layout.
  void addEnds(Skeleton &skeleton) const {
    const std::size_t blocks = grammar_.cfgs()[skeleton.layout.cfg].size();
    skeleton.ends.reserve(blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
      Skeleton::End &end = skeleton.ends.emplace_back();
      const Exit::Kind kind = exitOf(skeleton, block).kind;
      if (kind == Exit::Kind::branch)
        end.type = Type::integer(1);
      else if (kind == Exit::Kind::ret &&
               skeleton.layout.returned < tables_->types().size())
        end.type = tables_->types()[skeleton.layout.returned];
    }
  }

  void assemble(const Skeleton &skeleton, Assembler &assembler) const {
    const Layout &layout = skeleton.layout;
    assembler.apply({Kind::cfg, layout.cfg, Type(), layout.cfg + 1UL}, 0);
    auto made = skeleton.instructions.begin();
    std::size_t number = 0;
    for (std::size_t block = 0; block < skeleton.ends.size(); ++block) {
      if (number < layout.blocks.size() && layout.blocks[number] == block) {
        for (unsigned i = 0; i < layout.lengths[number]; ++i, ++made)
          assembler.apply({Kind::instruction, made->group, Type(),
                           grammar_.groups()[made->group].templates.size()},
                          made->index);
        ++number;
      }
      const Skeleton::End &end = skeleton.ends[block];
      assembler.apply({Kind::terminator, 0, end.type}, 0);
      if (exitOf(skeleton, block).kind == Exit::Kind::switch_)
        assembler.apply(casesOf(skeleton, block), end.cases);
    }
  }

  Decision casesOf(const Skeleton &skeleton, std::size_t block) const {
    const Type type = skeleton.ends[block].type;
    const auto cases =
        static_cast<std::uint16_t>(exitOf(skeleton, block).targets.size() - 1);
    return {Kind::cases, cases, type,
            static_cast<std::uint64_t>(
                tables_->caseSets(tables_->numberOf(type), cases))};
  }

  std::optional<Rank> find(const Program &program,
                           std::string *why) const override {
    const auto fail = [&](const auto &message) {
      if (why != nullptr)
        *why = message();
      return std::nullopt;
    };
    if (auto problem = corpus::verify(program))
      return fail([&] { return std::move(*problem); });
    Assembler assembler(grammar_);
    std::vector<Decision> allowed;
    const auto mismatchHere = [&] {
      return mismatch(*this, assembler, allowed, program);
    };
    auto skeleton = skeletonOf(program, assembler, allowed);
    if (!skeleton)
      return fail(mismatchHere);

    Rank rank = layouts_.before(skeleton->layout);
    const bool isWide = !isNarrow(skeleton->layout.functions);
    if (!(isWide ? findSkeleton<Rank>(*skeleton, rank)
                 : findSkeleton<std::uint64_t>(*skeleton, rank)))
      return fail([] {
        return std::string("no member has these instructions in these blocks");
      });
    if (!(isWide
              ? findOperands<Rank>(*skeleton, program, assembler, allowed, rank)
              : findOperands<std::uint64_t>(*skeleton, program, assembler,
                                            allowed, rank)))
      return fail(mismatchHere);
    if (assembler.take() != program)
      return fail([] { return std::string(undecidedMismatch); });
    return rank;
  }

  /// Adds what is before the program among those of its skeleton. False when
  /// one of its operands is none of `allowed`.
  template <typename Number>
  bool findOperands(const Skeleton &skeleton, const Program &program,
                    Assembler &assembler, std::vector<Decision> &allowed,
                    Rank &rank) const {
    OperandWalk<Number> walk(*tables_, skeleton);
    while (!walk.isComplete()) {
      const auto chosen = enumerate::find(
          walk, rank,
          [&](const Decision &decision) {
            return assembler.match(decision, program);
          },
          allowed);
      if (!chosen)
        return false;
      assembler.apply(chosen->decision, chosen->choice);
      walk.take(chosen->decision);
    }
    return true;
  }

  bool isPhi(const Skeleton::Made &made) const {
    return grammar_.groups()[made.group].isPhi;
  }
  /// Requires a result.
  std::uint8_t typeOf(const Skeleton::Made &made) const {
    return static_cast<std::uint8_t>(tables_->resultOf(made.group));
  }

  /// Adds what is before the skeleton in its layout; false when no function has
  /// it.
  template <typename Number>
  bool findSkeleton(const Skeleton &skeleton, Rank &rank) const {
    using Stage = typename SkeletonWalk<Number>::Stage;
    SkeletonWalk<Number> walk(*tables_, skeleton.layout);
    std::vector<Decision> others;
    auto made = skeleton.instructions.begin();
    while (walk.stage() != Stage::complete) {
      // Of the next instructions, how many the decision is about.
      std::size_t taken = walk.stage() == Stage::instruction ? 1 : 0;
      TypeOrder phis;
      if (walk.stage() == Stage::phis)
        for (; taken < walk.length() && isPhi(made[taken]); ++taken)
          phis.add(typeOf(made[taken]));
      const auto match =
          [&](const Decision &decision) -> std::optional<std::uint64_t> {
        if (walk.stage() == Stage::phis)
          return tables_->counts()[decision.index] == countsOf(phis)
                     ? std::optional(numberOf(phis))
                     : std::nullopt;
        if (walk.stage() == Stage::instruction)
          return decision.index == made->group ? std::optional(made->index)
                                               : std::nullopt;
        const Skeleton::End &end = skeleton.ends[walk.switchBlock()];
        return decision.type == end.type ? std::optional(end.cases)
                                         : std::nullopt;
      };
      const auto chosen = enumerate::find(walk, rank, match, others);
      if (!chosen)
        return false;
      walk.take(chosen->decision);
      made += static_cast<std::ptrdiff_t>(taken);
    }
    return true;
  }

  /// Of a program, whose beginning `assembler` makes. Where there is none,
  /// `allowed` is what could come next.
  std::optional<Skeleton> skeletonOf(const Program &program,
                                     Assembler &assembler,
                                     std::vector<Decision> &allowed) const {
    Skeleton skeleton;
    std::uint64_t choice = 0;
    const auto takeOne = [&] {
      for (const Decision &decision : allowed)
        if (const auto found = assembler.match(decision, program)) {
          choice = *found;
          const Decision taken = decision;
          assembler.apply(taken, choice);
          return std::optional(taken);
        }
      return std::optional<Decision>();
    };
    for (std::size_t i = 0; i < grammar_.cfgs().size(); ++i)
      allowed.push_back({Kind::cfg, static_cast<std::uint16_t>(i), Type()});
    const auto cfg = takeOne();
    if (!cfg)
      return std::nullopt;
    skeleton.layout.cfg = cfg->index;
    addEnds(skeleton);
    for (std::size_t block = 0; block < skeleton.ends.size(); ++block) {
      for (bool mayBePhi = mayHavePhis(skeleton, block);;) {
        allowed.clear();
        if (skeleton.instructions.size() < parsed().instructions)
          addInstructions(mayBePhi, allowed);
        const std::size_t instructions = allowed.size();
        if (block + 1U < skeleton.ends.size() || instructions == 0)
          addTerminators(skeleton, block, allowed);
        const auto taken = takeOne();
        if (!taken)
          return std::nullopt;
        if (taken->kind == Kind::terminator) {
          if (!addEnd(skeleton, block, taken->type))
            return std::nullopt;
          break;
        }
        mayBePhi = mayBePhi && grammar_.groups()[taken->index].isPhi;
        skeleton.instructions.push_back({taken->index, choice});
        if (skeleton.layout.blocks.empty() ||
            skeleton.layout.blocks.back() != block) {
          skeleton.layout.blocks.push_back(static_cast<std::uint8_t>(block));
          skeleton.layout.lengths.push_back(0);
        }
        ++skeleton.layout.lengths.back();
      }
      if (exitOf(skeleton, block).kind != Exit::Kind::switch_)
        continue;
      allowed.assign(1, casesOf(skeleton, block));
      if (!takeOne())
        return std::nullopt;
      skeleton.ends[block].cases = choice;
    }
    return skeleton;
  }

  bool mayHavePhis(const Skeleton &skeleton, std::size_t block) const {
    return grammar_.cfgs()[skeleton.layout.cfg].incoming[block].size() >= 2;
  }

  void addInstructions(bool mayBePhi, std::vector<Decision> &allowed) const {
    for (std::size_t i = 0; i < grammar_.groups().size(); ++i)
      if (const TemplateGroup &group = grammar_.groups()[i];
          mayBePhi || !group.isPhi)
        allowed.push_back({Kind::instruction, static_cast<std::uint16_t>(i),
                           Type(), group.templates.size()});
  }

  void addTerminators(const Skeleton &skeleton, std::size_t block,
                      std::vector<Decision> &allowed) const {
    const Exit::Kind kind = exitOf(skeleton, block).kind;
    const bool takesAny =
        kind == Exit::Kind::ret || kind == Exit::Kind::switch_;
    if (kind == Exit::Kind::branch)
      allowed.push_back({Kind::terminator, 0, Type::integer(1)});
    else if (!takesAny || (kind == Exit::Kind::ret && parsed().calls.any))
      allowed.push_back({Kind::terminator, 0, Type()});
    if (takesAny)
      for (const Type type : tables_->types())
        allowed.push_back({Kind::terminator, 0, type});
  }

  /// False when another `ret` returns another type.
  bool addEnd(Skeleton &skeleton, std::size_t block, Type type) const {
    const Exit::Kind kind = exitOf(skeleton, block).kind;
    skeleton.ends[block].type = type;
    if (kind != Exit::Kind::ret)
      return true;
    const auto returned = static_cast<std::uint8_t>(
        type.isVoid() ? tables_->types().size() : tables_->numberOf(type));
    for (std::size_t before = 0; before < block; ++before)
      if (exitOf(skeleton, before).kind == Exit::Kind::ret &&
          skeleton.layout.returned != returned)
        return false;
    skeleton.layout.returned = returned;
    return true;
  }

  std::unique_ptr<const LayoutTables> tables_;
  const Grammar &grammar_; ///< of these
  Layouts layouts_;
};

} // namespace

bool isRankedByLayout(const SpaceSpec &spec, const Grammar &grammar) {
  const auto phis =
      std::count_if(grammar.groups().begin(), grammar.groups().end(),
                    [](const TemplateGroup &group) { return group.isPhi; });
  // i2x4:blocks=4,loops,args=2,consts=none has too many states; these have
  // more.
  return spec.loops && grammar.cfgs().size() >= 1000 &&
         spec.instructions >= 4 && spec.arguments >= 2 && phis >= 2 &&
         grammar.groups().size() >= 11 && LayoutTables::covers(spec, grammar);
}

Result<std::unique_ptr<Space>> makeLayoutSpace(const SpaceSpec &spec,
                                               Grammar grammar) {
  auto tables = std::make_unique<const LayoutTables>(spec, std::move(grammar));
  auto layouts = Layouts::build(*tables);
  if (!layouts)
    return layouts.error();
  return std::unique_ptr<Space>(std::make_unique<LayoutSpace>(
      spec, std::move(tables), std::move(*layouts)));
}

} // namespace enumerate
