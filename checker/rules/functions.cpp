// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/functions.h"

#include "checker/render.h"
#include "corpus/program/retype.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace checker::rules {

using corpus::Program;

namespace {

struct AtWidth {
  unsigned width; ///< 0: of the functions as they are
  Program source;
  Program target;
};

bool hasSameTypes(const corpus::Signature &a, const corpus::Signature &b) {
  return a.returnType == b.returnType &&
         std::equal(a.parameters.begin(), a.parameters.end(),
                    b.parameters.begin(), b.parameters.end(),
                    [](const corpus::Parameter &p, const corpus::Parameter &q) {
                      return p.type == q.type;
                    });
}

/// The widths of which a counterexample is easy to read first.
std::vector<AtWidth> instancesOf(const Program &source, const Program &target,
                                 unsigned maximumWidth) {
  // A side without an open type may be without values.
  const auto main = std::max(mainWidth(source), mainWidth(target));
  if (!main)
    return {{0, source, target}};
  const auto at = [&](const Program &program, unsigned width) {
    return mainWidth(program)
               ? atWidth(program, width, corpus::ConstantRule::signedValue)
               : program;
  };
  std::vector<unsigned> widths;
  for (unsigned width = 1; width <= maximumWidth; ++width)
    widths.push_back(width);
  std::stable_sort(widths.begin(), widths.end(), [](unsigned a, unsigned b) {
    return readingRank(a) < readingRank(b);
  });
  std::vector<AtWidth> instances;
  for (const unsigned width : widths) {
    auto s = at(source, width);
    auto t = at(target, width);
    if (s && t && hasSameTypes(s->signature, t->signature))
      instances.push_back({width, std::move(*s), std::move(*t)});
  }
  return instances;
}

} // namespace

Proof prove(const Program &source, const Program &target,
            const Semantics &semantics, const ProofLimits &limits,
            Engine engine) {
  Limits check; // there are few of them, and a loop takes many steps
  check.smt.resources = limits.check.smt.resources;
  Checker checker(check);
  Proof proof;
  const std::vector<AtWidth> instances =
      instancesOf(source, target, limits.width);
  proof.typings = static_cast<unsigned>(instances.size());
  proof.hasOneOpenType = instances.empty() || instances[0].width != 0;
  const std::clock_t start = std::clock();
  const auto seconds = [&] {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  unsigned failures = 0;
  for (const AtWidth &instance : instances) {
    if (failures == limits.giveUpAfter)
      break;
    if (seconds() > limits.seconds) {
      proof.reason =
          fmt::format("no answer for all widths within {} s", limits.seconds);
      break;
    }
    const bool isFirst = proof.wrong == 0;
    const Verdict verdict =
        checker.check(instance.source, instance.target, semantics,
                      isFirst ? WantWitness::yes : WantWitness::no, engine);
    const bool isRight =
        verdict.word == VerdictWord::refines && verdict.reason.empty();
    if (verdict.word == VerdictWord::wrong) {
      ++proof.wrong;
      if (isFirst) {
        proof.kind = verdict.kind;
        proof.counterexample = fmt::format("ERROR: {}\n", headline(verdict));
        if (verdict.witness)
          proof.counterexample += "\n" + toText(*verdict.witness);
      }
    } else if (isRight) {
      ++proof.right;
    } else {
      if (++failures == 1)
        proof.reason =
            instance.width == 0
                ? verdict.reason
                : fmt::format("i{}: {}", instance.width, verdict.reason);
      if (verdict.word == VerdictWord::unsupported)
        proof.word = VerdictWord::unsupported;
      continue;
    }
    if (instance.width != 0)
      proof.isRight[instance.width] = isRight;
  }
  proof.seconds = seconds();
  if (proof.typings == 0) {
    proof.word = VerdictWord::unsupported;
    proof.reason = "the two sides are of no common width";
  } else if (proof.wrong != 0) {
    proof.word = VerdictWord::wrong;
  } else if (proof.right != proof.typings &&
             proof.word != VerdictWord::unsupported) {
    proof.word = VerdictWord::undecided;
  }
  return proof;
}

} // namespace checker::rules
