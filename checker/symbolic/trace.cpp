// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/trace.h"

#include "corpus/program/program.h"

#include <algorithm>

namespace checker::smt {

using z3::expr;

namespace {

constexpr std::uint32_t wayAttributes[] = {corpus::attribute::willreturn,
                                           corpus::attribute::nounwind};

bool isSameCallee(const corpus::Callee &a, const corpus::Callee &b) {
  return a.name == b.name &&
         std::equal(
             a.signature.parameters.begin(), a.signature.parameters.end(),
             b.signature.parameters.begin(), b.signature.parameters.end(),
             [](const auto &p, const auto &q) { return p.type == q.type; });
}

Term merged(const expr &condition, const Term &then, const Term &otherwise) {
  return {choose(condition, then.bits, otherwise.bits),
          choose(condition, then.poison, otherwise.poison)};
}

expr padded(const std::vector<expr> &list, std::size_t index, const expr &no) {
  return index < list.size() ? list[index] : no;
}

bool isSame(const Term &a, const Term &b) {
  return z3::eq(a.bits, b.bits) && z3::eq(a.poison, b.poison);
}

} // namespace

std::vector<TraceComparison::Position>
TraceComparison::positionsOf(const Trace &trace) const {
  std::vector<Position> positions(
      count_, Position{{}, no_, no_, {no_, no_}, {no_, no_}});
  for (std::size_t p = 0; p < count_; ++p) {
    Position &position = positions[p];
    for (const TracedCall &call : trace.calls) {
      const expr made = padded(call.at, p, no_);
      if (made.is_false())
        continue;
      position.any = either(position.any, made);
      bool isSure = true;
      for (unsigned way = 0; way < ways; ++way) {
        if ((call.call->functionAttributes & wayAttributes[way]) != 0)
          continue;
        if ((trace.attributes & wayAttributes[way]) != 0) {
          position.exitUb[way] = either(position.exitUb[way], made);
          continue;
        }
        position.exits[way] = either(position.exits[way], made);
        isSure = false;
      }
      if (isSure)
        position.comesBack = either(position.comesBack, made);
      const auto known = std::find_if(
          position.events.begin(), position.events.end(),
          [&](const Event &event) {
            return isSameCallee(*event.like->callee, *call.call->callee);
          });
      if (known == position.events.end()) {
        position.events.push_back({call.call, made, call.arguments});
        continue;
      }
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        SymbolicRow &row = known->arguments[i];
        const SymbolicRow &other = call.arguments[i];
        for (std::size_t lane = 0; lane < row.lanes.size(); ++lane)
          if (!isSame(row.lanes[lane], other.lanes[lane]))
            row.lanes[lane] = merged(made, other.lanes[lane], row.lanes[lane]);
        row.choices.insert(row.choices.end(), other.choices.begin(),
                           other.choices.end());
      }
      known->made = either(known->made, made);
    }
  }
  return positions;
}

SymbolicRow TraceComparison::freshCopy(const SymbolicRow &row,
                                       Variables &picks) {
  if (row.choices.empty())
    return row;
  const Variables copies = copiesOf(row.choices, fresh_);
  picks.insert(picks.end(), copies.begin(), copies.end());
  SymbolicRow copy;
  for (const Term &lane : row.lanes)
    copy.lanes.push_back(substituted(lane, row.choices, copies));
  return copy;
}

/// Some pick of the target's is none of the source's.
expr TraceComparison::differ(const SymbolicRow &source,
                             const SymbolicRow &target) {
  bool same = true;
  for (std::size_t lane = 0; lane < source.lanes.size(); ++lane)
    same = same && isSame(source.lanes[lane], target.lanes[lane]);
  if (same)
    return no_;
  const SymbolicRow s = freshCopy(source, sourcePicks_);
  const SymbolicRow t = freshCopy(target, targetPicks_);
  expr result = no_;
  for (std::size_t lane = 0; lane < s.lanes.size(); ++lane) {
    const expr other = isSame(s.lanes[lane], t.lanes[lane])
                           ? no_
                           : either(t.lanes[lane].poison,
                                    t.lanes[lane].bits != s.lanes[lane].bits);
    result = either(result, both(negate(s.lanes[lane].poison), other));
  }
  return result;
}

/// Where the target makes a call: the source makes none like it.
expr TraceComparison::mismatch(const Position &source, const Position &target) {
  expr matches = no_;
  for (const Event &t : target.events)
    for (const Event &s : source.events) {
      if (!isSameCallee(*s.like->callee, *t.like->callee))
        continue;
      expr here = both(s.made, t.made);
      for (std::size_t i = 0; i < t.arguments.size() && !here.is_false(); ++i)
        here = both(here, negate(differ(s.arguments[i], t.arguments[i])));
      matches = either(matches, here);
    }
  return negate(matches);
}

TraceComparison::TraceComparison(const Trace &source, const Trace &target,
                                 FreshVariables &fresh)
    : fresh_(fresh), no_(fresh.context().bool_val(false)),
      count_(std::max(source.end.size(), target.end.size()) - 1),
      ubFromStart_(no_), source_(positionsOf(source)),
      target_(positionsOf(target)) {
  for (std::size_t p = 0; p <= count_; ++p) {
    targetUb_.push_back(padded(target.ub, p, no_));
    sourceEnd_.push_back(padded(source.end, p, no_));
    targetEnd_.push_back(padded(target.end, p, no_));
    sourceUb_.push_back(
        either(padded(source.ub, p, no_), padded(source.beyond, p, no_)));
  }
  for (std::size_t p = count_ + 1; p-- > 0;) {
    const expr ub = padded(source.ub, p, no_);
    ubFromStart_ =
        p == count_ ? ub : either(ub, both(source_[p].comesBack, ubFromStart_));
    if (p != count_)
      sourceUb_[p] =
          either(sourceUb_[p], both(source_[p].comesBack, sourceUb_[p + 1]));
  }
  noMatch_ = {no_};
  uncovered_ = {negate(sourceUb_[0])};
  uncoveredIfMatch_ = uncovered_;
  for (std::size_t p = 0; p < count_; ++p) {
    noMatch_.push_back(
        either(noMatch_[p], mismatch(source_[p], target_[p])).simplify());
    const expr isNoUb = negate(sourceUb_[p + 1]);
    uncovered_.push_back(
        both(uncovered_[p], either(noMatch_[p + 1], isNoUb)).simplify());
    uncoveredIfMatch_.push_back(both(uncoveredIfMatch_[p], isNoUb));
  }
}

std::vector<expr> TraceComparison::moreUb() const {
  std::vector<expr> claims;
  for (std::size_t p = 0; p <= count_; ++p) {
    claims.push_back(both(targetUb_[p], uncovered_[p]));
    for (unsigned way = 0; way < ways && p < count_; ++way)
      claims.push_back(both(both(target_[p].exitUb[way], uncovered_[p]),
                            either(noMatch_[p + 1], source_[p].exits[way])));
  }
  return claims;
}

std::vector<expr> TraceComparison::calls() const {
  std::vector<expr> claims;
  for (std::size_t p = 0; p < count_; ++p) {
    const expr made = both(target_[p].any, uncovered_[p]);
    claims.push_back(both(made, noMatch_[p + 1]));
    for (unsigned way = 0; way < ways; ++way)
      if (const expr leaves =
              both(source_[p].exits[way], negate(target_[p].exits[way]));
          !leaves.is_false())
        claims.push_back(both(made, either(noMatch_[p + 1], leaves)));
  }
  for (std::size_t p = 0; p <= count_; ++p) {
    expr mayEnd = sourceEnd_[p];
    for (unsigned way = 0; way < ways && p != 0; ++way)
      mayEnd = either(mayEnd, source_[p - 1].exits[way]);
    claims.push_back(both(both(targetEnd_[p], uncovered_[p]),
                          either(noMatch_[p], negate(mayEnd))));
  }
  return claims;
}

std::vector<expr> TraceComparison::returns() const {
  std::vector<expr> claims;
  for (std::size_t p = 0; p <= count_; ++p)
    claims.push_back(both(both(targetEnd_[p], uncovered_[p]),
                          either(noMatch_[p], negate(sourceEnd_[p]))));
  return claims;
}

expr TraceComparison::comesToEnd(bool assumeMatch) const {
  const std::vector<expr> &uncovered =
      assumeMatch ? uncoveredIfMatch_ : uncovered_;
  expr result = no_;
  for (std::size_t p = 0; p <= count_; ++p)
    result = either(result, both(targetEnd_[p], uncovered[p]));
  return result;
}

expr TraceComparison::lacksEnd() const {
  expr result = no_;
  for (std::size_t p = 0; p <= count_; ++p)
    result = either(result, both(targetEnd_[p],
                                 either(noMatch_[p], negate(sourceEnd_[p]))));
  return result;
}

} // namespace checker::smt
