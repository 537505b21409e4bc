// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/memory_smt.h"

#include "checker/memory/memory.h"
#include "checker/symbolic/game.h"
#include "checker/symbolic/memory_run.h"
#include "checker/symbolic/simulation.h"
#include "checker/symbolic/trace.h"
#include "checker/value/value.h"
#include "corpus/program/graph.h"
#include "corpus/program/print.h"

#include <fmt/format.h>

#include <algorithm>

namespace checker {

using corpus::Program;
using corpus::Type;
using smt::Game;
using smt::MemoryInputs;
using smt::MemoryRun;
using smt::Variables;
using z3::expr;

namespace {

/// Of loops beside memory.
constexpr unsigned mostRounds = 3;
constexpr unsigned fewRounds = 1;
constexpr std::uint32_t shareOfMost = 4; ///< of the resources
/// Where few rounds take more than this, many would take minutes.
constexpr std::uint32_t shareOfEasy = 8;
constexpr std::uint32_t easy = 500'000; ///< units: less is always easy

Variables operator+(Variables a, const Variables &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class MemoryGame {
public:
  MemoryGame(const Program &source, const Program &target,
             const Semantics &semantics, const SmtLimits &limits,
             smt::PointerBytes pointerBytes)
      : programs_{&source, &target}, semantics_(semantics), fresh_(context_),
        inputs_(source, target, semantics, fresh_, pointerBytes),
        unroll_(limits.unroll),
        source_(source, semantics, inputs_, smt::Side::source, fresh_, unroll_),
        target_(target, semantics, inputs_, smt::Side::target, fresh_, unroll_),
        no_(context_.bool_val(false)), sourceTrace_(source_.trace()),
        targetTrace_(target_.trace()),
        trace_(sourceTrace_, targetTrace_, fresh_),
        game_(context_, limits.resources, Game::Style::memory) {}

  Verdict check(bool wantWitness);
  /// Units of all solvers.
  std::uint64_t spent() const { return game_.spent(); }

private:
  /// What the target shows and the source does not, by kind.
  struct Claims {
    expr poison;
    expr undef;
    expr value;
  };
  void prepare();
  /// The target may read a part of a pointer as a part of a number, or the
  /// reverse, where the source does not. Runs in which the source does are
  /// excluded.
  bool mayPun();
  Claims ofReturn();
  Claims ofMemory();
  /// Of blocks, whatever stands there.
  void compareBlocks(Claims &claims);
  void fixMemory(const Variables &picks);
  std::optional<z3::model> findInTrace(const std::vector<expr> &claims,
                                       const Variables &targetPicks);
  std::optional<z3::model> find(const expr &claim, const Variables &others);
  std::optional<z3::model> findPoison();
  bool mayGoBeyond();
  std::vector<expr> wishes();
  template <typename Find>
  Verdict wrong(Kind kind, bool wantWitness, z3::model model, Find find);
  bool dependsOn(const expr &term, const Variables &variables);
  bool isGivenOtherwise(const z3::model &model) const;
  Witness witness(Kind kind, const z3::model &model) const;
  std::string textOf(const MemoryRun::Value &value, Type type,
                     const z3::model &model) const;
  std::string nameOfBlock(std::uint64_t id) const;

  const Program *programs_[2];
  const Semantics &semantics_;
  z3::context context_;
  smt::FreshVariables fresh_;
  MemoryInputs inputs_;
  unsigned unroll_;
  MemoryRun source_;
  MemoryRun target_;
  expr no_;
  using HeapBlocks = std::pair<MemoryRun::HeapBlock, MemoryRun::HeapBlock>;
  std::optional<HeapBlocks> heapBlocks_; ///< returned ones of both
  smt::Trace sourceTrace_;
  smt::Trace targetTrace_;
  smt::TraceComparison trace_;
  Game game_;
  Claims claims_{expr(context_), expr(context_), expr(context_)};
  Variables sourcePicks_;
  Variables targetPicks_;
  Variables others_; ///< another pick of what the target returns
  Variables terms_;  ///< what a pick of the source may copy
  bool isFixed_ = false;
  bool ignoresPoisonBehind_ = false;
  bool isWrittenFar_ = false;             ///< in more places than were fixed
  expr wished_ = context_.bool_val(true); ///< of an input that is shown
};

/// Returned values; a returned local is any local.
MemoryGame::Claims MemoryGame::ofReturn() {
  Claims claims{no_, no_, no_};
  const auto &t = target_.returned();
  const auto &s = source_.returned();
  if (!t)
    return claims;
  if (!s) { // the source never returns: nothing is covered
    claims.value = context_.bool_val(true);
    return claims;
  }
  sourcePicks_ = sourcePicks_ + s->choices;
  targetPicks_ = targetPicks_ + t->choices;
  terms_ = terms_ + t->choices + Variables{t->term.bits};
  const expr isNumber = smt::negate(s->term.poison);
  claims.poison = smt::both(t->term.poison, isNumber).simplify();
  expr differs = t->term.bits != s->term.bits;
  if (t->pointer) {
    const expr first = context_.bv_val(MemoryInputs::firstLocal, 8);
    const expr bothLocal =
        z3::uge(t->pointer->block, first) && z3::uge(s->pointer->block, first);
    differs = differs || (!bothLocal && t->pointer->block != s->pointer->block);
    differs = differs || smt::both(target_.returnsUseless(),
                                   smt::negate(source_.returnsUseless()));
    // Who gets a block of the heap can use and free it.
    if (heapBlocks_) {
      const auto &[mine, theirs] = *heapBlocks_;
      differs = differs || (mine.isLive &&
                            !(theirs.isLive && mine.family == theirs.family &&
                              z3::uge(theirs.size, mine.size) &&
                              z3::uge(theirs.alignment, mine.alignment)));
    }
  }
  for (std::size_t i = 1; i < t->lanes(); ++i) {
    const expr isKnown = smt::negate(s->lane(i).poison);
    claims.poison =
        smt::either(claims.poison, smt::both(t->lane(i).poison, isKnown));
    claims.value = smt::either(
        claims.value, smt::both(isKnown, t->lane(i).bits != s->lane(i).bits));
    terms_.push_back(t->lane(i).bits);
  }
  claims.value =
      smt::either(claims.value, smt::both(isNumber, differs).simplify());
  if (!t->choices.empty()) {
    others_ = smt::copiesOf(t->choices, fresh_);
    expr isOther = no_;
    for (std::size_t i = 0; i < t->lanes(); ++i)
      isOther =
          smt::either(isOther, smt::substituted(t->lane(i).bits, t->choices,
                                                others_) != t->lane(i).bits);
    claims.undef = smt::both(claims.value, isOther);
  }
  return claims;
}

/// One byte that is not local and valid: of any block, at any offset.
MemoryGame::Claims MemoryGame::ofMemory() {
  Claims claims{no_, no_, no_};
  if (target_.freesOthers())
    compareBlocks(claims);
  if (!source_.writesMemory() && !target_.writesMemory())
    return claims;
  if (inputs_.blocks().empty() && !heapBlocks_)
    return claims;
  const smt::SymbolicPointer &pointer = inputs_.location();
  expr isValid = no_;
  for (const auto &[id, each] : inputs_.blocks())
    isValid = isValid || (pointer.block == context_.bv_val(id, 8) &&
                          z3::ult(pointer.offset, each.size));
  isValid = smt::both(isValid, source_.isStillThere(pointer));
  smt::SymbolicPointer ofSource = pointer;
  smt::SymbolicPointer ofTarget = pointer;
  if (heapBlocks_) {
    const expr isReturned =
        pointer.block == context_.bv_val(MemoryInputs::returnedBlock, 8);
    const auto &[mine, theirs] = *heapBlocks_;
    const auto &s = *source_.returned();
    const auto &t = *target_.returned();
    isValid = smt::choose(
        isReturned,
        mine.isLive && theirs.isLive && z3::ult(pointer.offset, mine.size) &&
            smt::negate(s.term.poison) && smt::negate(t.term.poison),
        isValid);
    const auto inBlockOf = [&](smt::SymbolicPointer &place,
                               const smt::SymbolicPointer &returned) {
      place.block = smt::choose(isReturned, returned.block, place.block);
      place.candidates.insert(returned.candidates.begin(),
                              returned.candidates.end());
    };
    inBlockOf(ofSource, *s.pointer);
    inBlockOf(ofTarget, *t.pointer);
  }
  Variables sourceChoices;
  Variables targetChoices;
  smt::SymbolicByte s = source_.last(ofSource, sourceChoices);
  smt::SymbolicByte t = target_.last(ofTarget, targetChoices);
  if (uninitIsPoison(semantics_))
    for (smt::SymbolicByte *byte : {&s, &t})
      byte->poisonUninit();
  const expr zero = context_.bv_val(0, 8);
  const auto stored = [&](std::uint64_t value) {
    return context_.bv_val(value, 16);
  };
  constexpr std::uint64_t anyType = 0xffff;
  // Bits that the type stored by the source leaves over.
  const expr place = s.stored & stored(7);
  const expr used = z3::lshr(s.stored, 3) - place * stored(8);
  const expr padding =
      z3::ite(s.stored == stored(0) || z3::uge(used, stored(8)), zero,
              z3::shl(context_.bv_val(0xff, 8), used.extract(7, 0)));
  // What a caller wrote is of any type that leaves no bit over.
  const expr fits = t.stored == stored(anyType) &&
                    ((t.bits | t.poison | t.uninit) & padding) == zero;
  // A load of the type that the source stored is poison.
  const expr all = context_.bv_val(0xff, 8);
  const expr isTyped = s.stored != stored(0) && s.stored != stored(anyType) &&
                       (s.poison | padding) != all &&
                       (s.uninit | padding) != all && s.stored != t.stored &&
                       !fits;
  // No load of that type sees them, and one of another type is poison.
  s.poison = s.poison | padding;
  s.uninit = s.uninit & ~padding;
  // What the source picks covers what is uninitialized if it covers each value.
  if (!sourceChoices.empty()) {
    targetChoices.push_back(fresh_.bits(8));
    t.fillUninit(targetChoices.back());
  }
  sourcePicks_ = sourcePicks_ + sourceChoices;
  targetPicks_ = targetPicks_ + targetChoices;
  terms_ = terms_ + targetChoices;
  const expr known = ~(s.poison | s.uninit);
  claims.poison = smt::either(
      claims.poison,
      smt::both(isValid,
                ((t.poison & ~s.poison) != zero || isTyped).simplify()));
  claims.undef = smt::both(isValid, ((t.uninit & known) != zero).simplify());
  expr differs = ((t.bits ^ s.bits) & known) != zero;
  if (s.part || t.part) {
    const smt::PointerPart none = smt::noPart(context_);
    const smt::PointerPart &a = t.part ? *t.part : none;
    const smt::PointerPart &b = s.part ? *s.part : none;
    differs = differs ||
              (known == all &&
               (a.place != b.place ||
                (b.place != zero && (a.pointer.block != b.pointer.block ||
                                     a.pointer.offset != b.pointer.offset))));
  }
  claims.value = smt::both(isValid, differs.simplify());
  if (!targetChoices.empty()) {
    const Variables others = smt::copiesOf(targetChoices, fresh_);
    const expr isOther =
        smt::substituted(t.bits, targetChoices, others) != t.bits;
    claims.undef = smt::either(claims.undef, smt::both(claims.value, isOther));
    others_ = others_ + others;
  }
  return claims;
}

/// What the caller could still use must not be freed.
void MemoryGame::compareBlocks(Claims &claims) {
  for (const auto &[id, block] : inputs_.blocks()) {
    const smt::SymbolicPointer pointer{
        context_.bv_val(id, 8), context_.bv_val(0, Type::pointerWidth), {id}};
    claims.poison = smt::either(
        claims.poison, smt::both(source_.isStillThere(pointer),
                                 smt::negate(target_.isStillThere(pointer))));
  }
}

void MemoryGame::prepare() {
  const Claims a = ofReturn();
  const Claims b = ofMemory();
  // A fork of the source may show one kind and another fork another one, so
  // each claim has the earlier ones in it.
  claims_.poison = smt::either(a.poison, b.poison);
  claims_.undef = smt::either(claims_.poison, smt::either(a.undef, b.undef));
  claims_.value = smt::either(claims_.undef, smt::either(a.value, b.value));
}

bool MemoryGame::dependsOn(const expr &term, const Variables &variables) {
  const Variables others = smt::copiesOf(variables, fresh_);
  return !z3::eq(smt::substituted(term, variables, others), term);
}

bool MemoryGame::mayPun() {
  // What the target reads as one the source reads as well, or not as the other.
  const auto areApart = [](const smt::TypedRead &a, const smt::TypedRead &b) {
    if (std::none_of(
            a.pointer.candidates.begin(), a.pointer.candidates.end(),
            [&](unsigned id) { return b.pointer.candidates.contains(id); }))
      return true;
    const expr blocks = (a.pointer.block == b.pointer.block).simplify();
    const expr distance = (a.pointer.offset - b.pointer.offset).simplify();
    return blocks.is_false() ||
           (distance.is_numeral() && distance.get_numeral_uint64() >= b.size &&
            -distance.get_numeral_uint64() >= a.size);
  };
  const auto isSame = [](const smt::TypedRead &a, const smt::TypedRead &b) {
    return a.isPointer == b.isPointer && a.size == b.size &&
           z3::eq(a.pointer.block, b.pointer.block) &&
           z3::eq(a.pointer.offset, b.pointer.offset);
  };
  const auto isSurelyBoth = [](const smt::TypedRead &a,
                               const smt::TypedRead &b) {
    return a.isPointer != b.isPointer &&
           z3::eq(a.pointer.block, b.pointer.block) &&
           (a.pointer.offset - b.pointer.offset).simplify().is_numeral();
  };
  const bool mayBeRead = inputs_.pointerBytes() == smt::PointerBytes::asAddress;
  for (const smt::TypedRead &s : source_.reads())
    for (const smt::TypedRead &other : source_.reads())
      if (!mayBeRead && isSurelyBoth(s, other) && !areApart(s, other))
        return true;
  expr isDoubtful = no_;
  for (const smt::TypedRead &t : target_.reads()) {
    const auto &all = source_.reads();
    if (std::any_of(all.begin(), all.end(),
                    [&](const smt::TypedRead &s) { return isSame(s, t); }))
      continue;
    expr isCovered = no_;
    expr overlaps = no_;
    for (const smt::TypedRead &s : all) {
      const expr blocks = s.pointer.block == t.pointer.block;
      if (s.isPointer == t.isPointer)
        isCovered = smt::either(
            isCovered, s.size < t.size
                           ? no_
                           : blocks && s.pointer.offset == t.pointer.offset);
      else if (!areApart(s, t))
        overlaps = smt::either(
            overlaps, blocks && (z3::ult(t.pointer.offset - s.pointer.offset,
                                         context_.bv_val(s.size, 64)) ||
                                 z3::ult(s.pointer.offset - t.pointer.offset,
                                         context_.bv_val(t.size, 64))));
    }
    isDoubtful =
        smt::either(isDoubtful, smt::both(overlaps, smt::negate(isCovered)));
  }
  if (!isDoubtful.is_false() &&
      game_.play({inputs_.variables()},
                 inputs_.assumptionsWithoutTypes() && isDoubtful &&
                     smt::negate(source_.puns()) && smt::negate(source_.ub())))
    return true;
  const auto isPossible = [&](const expr &claim) {
    return game_
        .play({inputs_.variables()},
              inputs_.assumptions() && claim && smt::negate(source_.ub()))
        .has_value();
  };
  // Who alone reads an address might read poison.
  const expr readsAlone = smt::both(target_.readsPointerBytes(),
                                    smt::negate(source_.readsPointerBytes()))
                              .simplify();
  if (!readsAlone.is_false() && isPossible(readsAlone))
    return true;
  // Of what a run of the source stored: such runs are not looked at, if there
  // are others.
  if (!source_.puns().is_false() && isPossible(source_.puns())) {
    if (dependsOn(source_.puns(), source_.forks()) ||
        !isPossible(smt::negate(source_.puns())))
      return true;
    inputs_.assume(smt::negate(source_.puns()));
  }
  return !target_.puns().is_false() && isPossible(target_.puns());
}

/// What a run of the source finds and what it leaves depends on its `picks`;
/// memory does not.
void MemoryGame::fixMemory(const Variables &picks) {
  if (isFixed_ || picks.empty())
    return;
  isFixed_ = true;
  const bool ofSource = source_.readWhatIsWritten();
  const bool ofTarget = target_.readWhatIsWritten();
  isWrittenFar_ = !ofSource || !ofTarget;
}

std::optional<z3::model>
MemoryGame::findInTrace(const std::vector<expr> &claims,
                        const Variables &targetPicks) {
  expr claim = no_;
  for (const expr &each : claims)
    claim = smt::either(claim, each);
  claim = claim.simplify();
  if (claim.is_false())
    return std::nullopt;
  const Variables inner =
      source_.forks() + source_.ubPicks() + trace_.sourcePicks();
  const Variables terms = target_.forks() + targetPicks + trace_.targetPicks();
  fixMemory(inner);
  const Variables given = inputs_.variables() + terms;
  return game_.play({given, inner, inputs_.laterVariables()},
                    inputs_.assumptions() && claim && wished_, terms,
                    {smt::matched(inner, terms)});
}

std::optional<z3::model> MemoryGame::find(const expr &claim,
                                          const Variables &others) {
  const bool forks = !source_.forks().empty();
  const Variables picks =
      sourcePicks_ + source_.ubPicks() + trace_.sourcePicks();
  fixMemory(source_.forks() + picks);
  const expr formula =
      inputs_.assumptions() && wished_ &&
      smt::both(trace_.comesToEnd(!forks),
                forks ? smt::either(trace_.lacksEnd(), claim) : claim);
  if (claim.is_false() || formula.simplify().is_false())
    return std::nullopt;
  const Variables given = inputs_.variables() + target_.forks();
  const Variables later = inputs_.laterVariables();
  const Variables theirs = targetPicks_ + trace_.targetPicks();
  const Variables terms = terms_ + target_.forks();
  if (!forks)
    return game_.play({given + theirs + others, picks, later}, formula, terms,
                      {smt::matched(picks, terms)});
  // What the source forks into may be what the target returns, if that is known
  // by then.
  return game_.play({given + others, source_.forks(), theirs, picks, later},
                    formula, theirs.empty() ? terms : target_.forks(),
                    {smt::matched(source_.forks(), target_.forks())});
}

/// Where the target alone compares so many bytes, inputs with poison behind
/// those that decide are not looked at if it is wrong for these.
std::optional<z3::model> MemoryGame::findPoison() {
  auto model = find(claims_.poison, {});
  const expr &behind = target_.readsPoisonBehind();
  if (!model || behind.is_false() || !source_.readsPoisonBehind().is_false())
    return model;
  if (dependsOn(behind, target_.forks()))
    return model; // nothing that is assumed depends on what a run picks
  ignoresPoisonBehind_ = true;
  inputs_.assume(smt::negate(behind));
  return find(claims_.poison, {});
}

/// A run that is not in UB goes round more often than it was followed.
bool MemoryGame::mayGoBeyond() {
  const expr beyond = smt::either(source_.beyond(), target_.beyond());
  if (beyond.is_false())
    return false;
  try {
    return game_
        .play({inputs_.variables() + inputs_.laterVariables() +
                   source_.forks() + target_.forks(),
               source_.ubPicks()},
              inputs_.assumptions() && beyond &&
                  smt::negate(trace_.ubFromStart()))
        .has_value();
  } catch (const smt::OutOfResources &) {
    return true;
  }
}

/// What makes an input easy to read, the most helpful first.
std::vector<expr> MemoryGame::wishes() {
  constexpr unsigned few = 16;
  std::vector<expr> result;
  const auto isBelow = [&](const expr &number, std::uint64_t limit) {
    const unsigned width = number.get_sort().bv_size();
    return width < 64 && limit >> width != 0
               ? context_.bool_val(true)
               : z3::ult(number, context_.bv_val(limit, width));
  };
  const auto &parameters = programs_[0]->signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const MemoryInputs::Argument &argument = inputs_.argument(i);
    if (parameters[i].type.isPointer())
      result.push_back(isBelow(argument.pointer.block, 1) ||
                       isBelow(argument.pointer.offset, few));
    else if (parameters[i].type.isInteger())
      result.push_back(isBelow(argument.term.bits, few));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].type.isPointer())
      result.push_back(isBelow(inputs_.argument(i).pointer.offset, 1));
  for (const auto &[id, block] : inputs_.blocks()) {
    result.push_back(isBelow(block.size, few + 1));
    result.push_back(isBelow(block.base, 1 << 16));
  }
  for (const MemoryInputs::Read &read : inputs_.reads())
    result.push_back(isBelow(read.byte.bits, 2));
  return result;
}

/// Asks once more for an input with what is wished, as far as there is one and
/// resources last.
template <typename Find>
Verdict MemoryGame::wrong(Kind kind, bool wantWitness, z3::model model,
                          Find find) {
  Verdict verdict;
  verdict.engine = "smt";
  verdict.word = VerdictWord::wrong;
  verdict.kind = kind;
  if (!wantWitness)
    return verdict;
  expr granted = wished_;
  for (const expr &wish : wishes()) {
    wished_ = granted && wish;
    if (!model.eval(wish, true).is_true())
      try {
        const auto other = find();
        if (!other)
          continue;
        model = *other;
      } catch (const smt::OutOfResources &) {
        break;
      }
    granted = wished_;
  }
  verdict.witness = witness(kind, model);
  return verdict;
}

/// A call is given a local that nobody else knows by one side only, or one that
/// may lie where another one lay. It might not tell; here it would.
bool MemoryGame::isGivenOtherwise(const z3::model &model) const {
  for (std::size_t p = 0;; ++p) {
    const auto bySource = source_.argumentsAt(model, p);
    const auto byTarget = target_.argumentsAt(model, p);
    if (!bySource || !byTarget || bySource->size() != byTarget->size())
      return false;
    for (std::size_t i = 0; i < bySource->size(); ++i) {
      const MemoryRun::KnownArgument &s = (*bySource)[i];
      const MemoryRun::KnownArgument &t = (*byTarget)[i];
      if (s.isGiven != t.isGiven || (s.hasLifetime && s.name != t.name))
        return true;
    }
  }
}

Verdict MemoryGame::check(bool wantWitness) {
  Verdict verdict;
  verdict.engine = "smt";
  for (const MemoryRun *run : {&source_, &target_})
    if (!run->lack().empty()) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = run->lack();
      return verdict;
    }
  // The worst kind that an input shows.
  const auto shows = [&](Kind kind, const auto &find) {
    std::optional<z3::model> model = find();
    if (!model)
      return false;
    if (inputs_.sharesAllocations() &&
        (source_.allocates() || target_.allocates())) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = "allocations that may fail, beside calls";
      return true;
    }
    if (inputs_.isReadWherePicked() || isWrittenFar_) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = "memory where freeze or undef say";
      return true;
    }
    if (source_.callsUnseen() || target_.callsUnseen()) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = "a call that shows in memory alone";
      return true;
    }
    if (source_.callsForObjects() || target_.callsForObjects()) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = "a call whose result is noalias";
      return true;
    }
    if (isGivenOtherwise(*model)) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = "whether a call knows what it is given";
      return true;
    }
    if (source_.readsAddresses() || target_.readsAddresses()) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = "whether a block is exposed, beside inttoptr";
      return true;
    }
    verdict = wrong(kind, wantWitness, std::move(*model), find);
    if (kind != Kind::moreUb && mayGoBeyond()) // before that there is none
      verdict.reason = fmt::format("no earlier kind up to bound {}", unroll_);
    return true;
  };
  const bool calls = !sourceTrace_.calls.empty() || !targetTrace_.calls.empty();
  const auto lacks = [&](std::string why) {
    verdict.word = VerdictWord::unsupported;
    verdict.reason = std::move(why);
    return verdict;
  };
  if (calls && (source_.exposesLocals() || target_.exposesLocals()))
    return lacks("the address of a local as a number, beside calls");
  if ((source_.readsAddresses() || target_.readsAddresses()) &&
      (source_.exposesLocals() || target_.exposesLocals() ||
       source_.passesLocals() || target_.passesLocals()))
    return lacks(std::string(smt::knowsLocal));
  const auto returnedBySource = source_.returnedHeapBlock();
  const auto returnedByTarget = target_.returnedHeapBlock();
  if (returnedBySource || returnedByTarget) {
    const expr zero = context_.bv_val(0, 8);
    const MemoryRun::HeapBlock none{no_, context_.bv_val(0, Type::pointerWidth),
                                    zero,
                                    context_.bv_val(0, Type::pointerWidth)};
    heapBlocks_.emplace(returnedBySource.value_or(none),
                        returnedByTarget.value_or(none));
    if (source_.mayShareHeap() || target_.mayShareHeap())
      return lacks("a block of the heap that is known in several ways");
  }
  if (!source_.returned() || !target_.returned())
    heapBlocks_.reset();
  try {
    if (inputs_.holdsPointers() && mayPun())
      return lacks(std::string(smt::readsBoth));
    if (shows(
            Kind::moreUb,
            [&] { return findInTrace(trace_.moreUb(), target_.ubPicks()); }) ||
        shows(Kind::calls, [&] { return findInTrace(trace_.calls(), {}); }) ||
        shows(Kind::returns, [&] { return findInTrace(trace_.returns(), {}); }))
      return verdict;
    prepare();
    if (shows(Kind::morePoison, [&] { return findPoison(); }) ||
        shows(Kind::moreUndef, [&] { return find(claims_.undef, others_); }) ||
        shows(Kind::value, [&] { return find(claims_.value, {}); }))
      return verdict;
    if (mayGoBeyond())
      verdict.reason = fmt::format("up to bound {}", unroll_);
    else if (ignoresPoisonBehind_)
      verdict.reason = "where no poison is behind the bytes that decide";
  } catch (const smt::OutOfResources &limit) {
    verdict.word = VerdictWord::undecided;
    verdict.reason = limit.what();
  }
  return verdict;
}

std::string MemoryGame::nameOfBlock(std::uint64_t id) const {
  if (id >= MemoryInputs::firstLocal)
    return fmt::format("local {}", id - MemoryInputs::firstLocal + 1);
  if (id >= MemoryInputs::firstGlobal)
    for (const Program *program : programs_)
      for (const corpus::Global &global : program->globals)
        if (inputs_.blockOfGlobal(global.name) == id)
          return "@" + global.name;
  return std::string(1, static_cast<char>('A' + id - 1));
}

std::string MemoryGame::textOf(const MemoryRun::Value &value, Type type,
                               const z3::model &model) const {
  const auto number = [&](const expr &term) {
    return model.eval(term, true).get_numeral_uint64();
  };
  const std::string several =
      value.choices.empty() ? "" : ", one of several picks";
  if (!value.pointer) {
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < value.lanes(); ++i)
      lanes.push_back(model.eval(value.lane(i).poison, true).is_true()
                          ? Lane{0, type.lane(static_cast<unsigned>(i)).mask()}
                          : Lane{number(value.lane(i).bits), 0});
    return format({Element::ofLanes(lanes)}, type) + several;
  }
  if (model.eval(value.term.poison, true).is_true())
    return "poison" + several;
  const std::uint64_t bits = number(value.term.bits);
  const std::uint64_t block = number(value.pointer->block);
  if (block == 0)
    return bits == 0 ? "null" : fmt::format("{:#x}", bits);
  const auto offset = static_cast<std::int64_t>(bits);
  return nameOfBlock(block) + (offset < 0 ? fmt::format(" - {}", -offset)
                                          : fmt::format(" + {}", offset));
}

Witness MemoryGame::witness(Kind kind, const z3::model &model) const {
  Witness witness;
  const auto &parameters = programs_[0]->signature.parameters;
  std::set<std::uint64_t> used;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const MemoryInputs::Argument &argument = inputs_.argument(i);
    MemoryRun::Value value{
        argument.term, argument.rest, {}, argument.pointer.block, {}};
    if (parameters[i].type.isPointer()) {
      value.pointer = argument.pointer;
      used.insert(
          model.eval(argument.pointer.block, true).get_numeral_uint64());
    }
    witness.inputs.push_back({corpus::argumentName(i),
                              toString(parameters[i].type),
                              textOf(value, parameters[i].type, model)});
  }
  for (const auto &[id, block] : inputs_.blocks()) {
    if (id < MemoryInputs::firstGlobal && !used.contains(id))
      continue;
    const std::uint64_t size =
        model.eval(block.size, true).get_numeral_uint64();
    std::string text = fmt::format(
        "at {:#x}", model.eval(block.base, true).get_numeral_uint64());
    if (!model.eval(block.writable, true).is_true())
      text += ", read-only";
    for (const MemoryInputs::Read &read : inputs_.reads()) {
      const std::uint64_t offset =
          model.eval(read.pointer.offset, true).get_numeral_uint64();
      if (model.eval(read.pointer.block, true).get_numeral_uint64() != id ||
          offset >= size)
        continue;
      const bool isPoison =
          model.eval(read.byte.poison, true).get_numeral_uint64() != 0;
      const std::string byte = fmt::format(
          ", [{}] = {}", offset,
          isPoison
              ? "poison"
              : fmt::format(
                    "{:#04x}",
                    model.eval(read.byte.bits, true).get_numeral_uint64()));
      if (text.find(byte) == text.npos)
        text += byte;
    }
    witness.inputs.push_back(
        {nameOfBlock(id), fmt::format("{} bytes", size), std::move(text)});
  }
  const auto show = [&](const Program &program, const MemoryRun &run,
                        std::vector<NamedValue> &values, std::string &outcome) {
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
      const auto &value = run.value(i);
      if (value && model.eval(run.reached(i), true).is_true())
        values.push_back({corpus::resultName(i),
                          toString(program.instructions[i].type),
                          textOf(*value, program.instructions[i].type, model)});
    }
    outcome = "returns";
    if (model.eval(run.ub(), true).is_true())
      outcome = "UB";
    else if (run.returned())
      outcome +=
          " " + textOf(*run.returned(), program.signature.returnType, model);
  };
  show(*programs_[0], source_, witness.sourceValues, witness.sourceOutcome);
  show(*programs_[1], target_, witness.targetValues, witness.targetOutcome);
  if (kind == Kind::moreUb)
    witness.targetOutcome = "UB";
  return witness;
}

Verdict checkBy(smt::PointerBytes pointerBytes, const Program &source,
                const Program &target, const Semantics &semantics,
                bool wantWitness, const SmtLimits &limits) {
  const bool hasLoops =
      corpus::Graph(source).hasCycle() || corpus::Graph(target).hasCycle();
  if (!hasLoops)
    return MemoryGame(source, target, semantics, limits, pointerBytes)
        .check(wantWitness);
  const auto isSimulation = [&](std::uint32_t resources) {
    SmtLimits own = limits;
    own.resources = resources;
    return smt::isSimulation(source, target, semantics, own);
  };
  Verdict refines;
  refines.engine = "smt";
  if (isSimulation(std::min(limits.resources, easy)))
    return refines;
  // Each round writes anew, and each load looks through all that was written:
  // the fewer rounds the better, and better some than none.
  bool isHard = false;
  const auto follow = [&](unsigned rounds, std::uint32_t resources) {
    SmtLimits fewer = limits;
    fewer.unroll = std::min(limits.unroll, rounds);
    fewer.resources = resources;
    MemoryGame game(source, target, semantics, fewer, pointerBytes);
    Verdict verdict = game.check(wantWitness);
    isHard = game.spent() > std::max(limits.resources / shareOfEasy, easy);
    return verdict;
  };
  Verdict verdict = follow(fewRounds, limits.resources);
  // A proof that is not easy is not looked for where there is none.
  if (verdict.word != VerdictWord::wrong && limits.resources > easy &&
      isSimulation(limits.resources))
    return refines;
  if (!isDecided(verdict) || verdict.reason.empty() || isHard ||
      limits.unroll <= fewRounds)
    return verdict;
  Verdict further = follow(mostRounds, limits.resources / shareOfMost);
  return isDecided(further) ? further : verdict;
}

} // namespace

Verdict checkMemorySymbolically(const Program &source, const Program &target,
                                const Semantics &semantics, bool wantWitness,
                                const SmtLimits &limits) {
  Verdict verdict = checkBy(smt::PointerBytes::excluded, source, target,
                            semantics, wantWitness, limits);
  if (verdict.reason != smt::readsBoth)
    return verdict;
  // Nobody says whether such a load exposes the pointer, or is poison: what
  // refines does so in either case.
  Verdict other = checkBy(smt::PointerBytes::asAddress, source, target,
                          semantics, wantWitness, limits);
  return other.word == VerdictWord::refines ? other : verdict;
}

} // namespace checker
