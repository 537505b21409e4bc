// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/space.h"

#include "corpus/program/canonical.h"
#include "corpus/program/encode.h"
#include "enumerate/assembler.h"
#include "enumerate/decision_graph.h"
#include "enumerate/folds.h"
#include "enumerate/grammar.h"
#include "enumerate/lack.h"
#include "enumerate/layout_space.h"
#include "enumerate/layout_tables.h"
#include "enumerate/mismatch.h"
#include "enumerate/pairs.h"
#include "enumerate/rank_cursor.h"
#include "enumerate/spec.h"
#include "enumerate/spec_space.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <unordered_map>
#include <vector>

namespace enumerate {

using corpus::Error;
using corpus::Program;
using corpus::Result;

namespace {

/// Grammar and graph of one spec.
struct Index {
  Grammar grammar;
  DecisionGraph graph;
};

class GrammarCursor final : public Cursor {
public:
  GrammarCursor(const Index &index, Rank rank)
      : index_(index), assembler_(index.grammar), rank_(rank),
        count_(index.graph.count(index.graph.root())) {
    if (!atEnd())
      descend(index_.graph.root(), rank);
  }

  const Program &program() const override {
    assert(!atEnd());
    return hasConstants_ ? numbered_ : assembler_.program();
  }
  Rank rank() const override { return rank_; }
  bool atEnd() const override { return rank_ >= count_; }

  void next() override {
    assert(!atEnd());
    if (++rank_ == count_)
      return;
    for (;;) {
      Step &step = path_.back();
      assembler_.undo(step.edge->decision, step.choice);
      if (++step.choice == step.edge->decision.choices) {
        if (step.edge + 1 == step.end) {
          path_.pop_back();
          continue;
        }
        ++step.edge;
        step.choice = 0;
      }
      assembler_.apply(step.edge->decision, step.choice);
      return descend(step.edge->target, 0);
    }
  }

private:
  struct Step {
    const DecisionGraph::Edge *edge;
    const DecisionGraph::Edge *end; ///< behind the last edge of the node
    std::uint64_t choice;
  };

  void descend(DecisionGraph::Node node, Rank rank) {
    const DecisionGraph &graph = index_.graph;
    while (node != DecisionGraph::leaf) {
      const auto edges = graph.edges(node);
      const DecisionGraph::Edge &edge =
          rank == 0 ? edges.front() : graph.edgeOf(node, rank);
      rank -= edge.before;
      const Rank each = graph.count(edge.target);
      const std::uint64_t choice = rank == 0 ? 0 : quotient(rank, each);
      rank -= choice * each;
      assembler_.apply(edge.decision, choice);
      path_.push_back({&edge, edges.data() + edges.size(), choice});
      node = edge.target;
    }
    hasConstants_ = !assembler_.program().constants.empty();
    if (!hasConstants_)
      return;
    numbered_ = assembler_.program();
    corpus::renumberConstants(numbered_);
  }

  const Index &index_;
  Assembler assembler_;
  Rank rank_;
  Rank count_;
  std::vector<Step> path_;
  bool hasConstants_ = false; ///< in the pool: numbered_ is the program
  Program numbered_;
};

class GrammarSpace final : public SpecSpace {
public:
  GrammarSpace(SpaceSpec spec, Index index)
      : SpecSpace(std::move(spec)), index_(std::move(index)) {}

  std::optional<Symmetry> symmetry() const override {
    return isUnique() ? parsed().symmetry : symmetry::args;
  }
  Rank count() const override {
    return index_.graph.count(index_.graph.root());
  }

  Program at(Rank rank) const override {
    assert(rank < count());
    Assembler assembler(index_.grammar);
    const DecisionGraph &graph = index_.graph;
    for (auto node = graph.root(); node != DecisionGraph::leaf;) {
      const DecisionGraph::Edge &edge = graph.edgeOf(node, rank);
      rank -= edge.before;
      const Rank each = graph.count(edge.target);
      const std::uint64_t choice = quotient(rank, each);
      assembler.apply(edge.decision, choice);
      rank -= choice * each;
      node = edge.target;
    }
    return assembler.take();
  }

  std::unique_ptr<Cursor> from(Rank rank) const override {
    return std::make_unique<GrammarCursor>(index_, std::min(rank, count()));
  }
  const DecisionGraph *decisions() const override { return &index_.graph; }

private:
  /// Whether no two ranks are the same program.
  bool isUnique() const {
    const Vocabulary vocabulary = parsed().vocabulary();
    return vocabulary.idioms.empty() && !vocabulary.recurrences;
  }

  std::optional<Rank> find(const Program &program,
                           std::string *why) const override {
    if (auto problem = corpus::verify(program)) {
      if (why != nullptr)
        *why = std::move(*problem);
      return std::nullopt;
    }
    Finder finder{*this, program, why, Assembler(index_.grammar)};
    return finder.find(index_.graph.root(), 0, 0);
  }

  /// Looks for the decisions that make a program, in the order of ranks.
  struct Finder {
    const GrammarSpace &space;
    const Program &program;
    std::string *why; ///< of what came furthest
    Assembler assembler;
    std::size_t furthest = 0; ///< decisions that were made, and one

    std::optional<Rank> find(DecisionGraph::Node node, Rank rank,
                             std::size_t made) {
      if (node == DecisionGraph::leaf) {
        // What no decision looks at: attributes, further arguments.
        if (Assembler(assembler).take() == program)
          return rank;
        fail(made, [] { return std::string(undecidedMismatch); });
        return std::nullopt;
      }
      const DecisionGraph &graph = space.index_.graph;
      const auto edges = graph.edges(node);
      for (const DecisionGraph::Edge &edge : edges)
        for (auto choice = assembler.match(edge.decision, program); choice;
             choice = assembler.match(edge.decision, program, *choice + 1)) {
          assembler.apply(edge.decision, *choice);
          const auto found =
              find(edge.target,
                   rank + edge.before + *choice * graph.count(edge.target),
                   made + 1);
          if (found)
            return found;
          assembler.undo(edge.decision, *choice);
        }
      fail(made, [&] {
        std::vector<Decision> allowed;
        for (const DecisionGraph::Edge &edge : edges)
          allowed.push_back(edge.decision);
        return mismatch(space, assembler, allowed, program);
      });
      return std::nullopt;
    }

    template <typename Message>
    void fail(std::size_t made, const Message &message) {
      if (why == nullptr || made < furthest)
        return;
      furthest = made + 1;
      *why = message();
    }
  };

  Index index_;
};

class ListSpace final : public Space {
public:
  ListSpace(std::string spec, std::vector<NamedProgram> programs)
      : spec_(std::move(spec)), programs_(std::move(programs)) {
    for (std::uint64_t i = 0; i < programs_.size(); ++i)
      byHash_.emplace(corpus::hash(programs_[i].program), i);
  }

  std::string spec() const override { return spec_; }
  std::optional<Symmetry> symmetry() const override { return symmetry::args; }
  Rank count() const override { return programs_.size(); }
  Program at(Rank rank) const override {
    assert(rank < count());
    return programs_[rank].program;
  }
  std::optional<Rank> rank(const Program &program) const override {
    std::optional<Rank> lowest;
    const auto [begin, end] = byHash_.equal_range(corpus::hash(program));
    for (auto it = begin; it != end; ++it)
      if (programs_[it->second].program == program)
        lowest = std::min(lowest.value_or(it->second), Rank(it->second));
    return lowest;
  }
  std::string whyNotMember(const Program &) const override {
    return "no function of the list is the same";
  }
  std::unique_ptr<Cursor> from(Rank rank) const override {
    return std::make_unique<RankCursor>(*this, rank);
  }
  std::string nameOf(Rank rank) const override {
    assert(rank < count());
    return programs_[rank].name;
  }
  std::optional<std::string> lackIn(unsigned release) const override {
    Lack lack(release);
    for (const NamedProgram &named : programs_)
      for (const corpus::Instruction &instruction : named.program.instructions)
        lack.note(instruction.opcode, instruction.flags);
    return lack.message("leave those functions out");
  }

private:
  std::string spec_;
  std::vector<NamedProgram> programs_;
  std::unordered_multimap<std::uint64_t, std::uint64_t> byHash_;
};

} // namespace

Program numberByDecision(const Program &program) {
  Program result = program;
  result.signature.parameters.clear();
  std::vector<std::optional<std::uint64_t>> numbers(
      program.signature.parameters.size());
  for (const bool phis : {false, true})
    for (const corpus::Instruction &instruction : program.instructions) {
      if ((instruction.opcode == corpus::Opcode::phi) != phis)
        continue;
      for (corpus::Operand &operand : result.operandsOf(instruction)) {
        if (!operand.is(corpus::Operand::Kind::argument))
          continue;
        std::optional<std::uint64_t> &number = numbers[operand.payload];
        if (!number) {
          number = result.signature.parameters.size();
          result.signature.parameters.push_back(
              program.signature.parameters[operand.payload]);
        }
        operand.payload = *number;
      }
    }
  return result;
}

Result<std::unique_ptr<Space>> parseSpace(std::string_view text) {
  const auto folds = parseFoldSpec(text);
  if (!folds)
    return folds.error();
  if (*folds)
    return makeFoldSpace(**folds);
  auto spec = parseSpec(text);
  if (!spec)
    return spec.error();
  if (spec->pairs) {
    SpaceSpec each = *spec;
    each.pairs = false;
    each.symmetry.reset();
    auto space = parseSpace(toString(each));
    return space ? makePairSpace(toString(*spec), std::move(*space))
                 : space.error();
  }
  if (!makeCfgs(spec->cfgRules()))
    return Error{fmt::format("space {} has more than {} control-flow graphs: "
                             "take fewer blocks, or leave out loops or switch",
                             toString(*spec), maximumCfgs)};
  const auto problem = [&](const Error &error) {
    return Error{fmt::format("space {} {}: take fewer instructions or "
                             "arguments, or consts=few",
                             toString(*spec), error.message)};
  };
  Grammar grammar(*spec, spec->vocabulary());
  const auto byLayout = [&]() -> Result<std::unique_ptr<Space>> {
    auto space = makeLayoutSpace(*spec, std::move(grammar));
    if (!space)
      return problem(space.error());
    return space;
  };
  if (isRankedByLayout(*spec, grammar))
    return byLayout();
  auto graph = DecisionGraph::build(grammar);
  if (!graph && LayoutTables::covers(*spec, grammar))
    return byLayout();
  if (!graph)
    return problem(graph.error());
  if (graph->count(graph->root()) == 0)
    return Error{fmt::format("space {} has no functions: take more arguments, "
                             "types or instructions",
                             toString(*spec))};
  return std::unique_ptr<Space>(std::make_unique<GrammarSpace>(
      std::move(*spec), Index{std::move(grammar), std::move(*graph)}));
}

std::unique_ptr<Space> makeListSpace(std::string spec,
                                     std::vector<NamedProgram> programs) {
  return std::make_unique<ListSpace>(std::move(spec), std::move(programs));
}

} // namespace enumerate
