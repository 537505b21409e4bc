// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exhaustive engine for programs without loops and calls whose registers
// are single values: both programs run on all inputs, 512 at a time, one bit an
// input. What the target's freezes pick is an input too; what the source's pick
// is searched.
//
// The inputs of a signature are laid out once and kept. Inputs with the same
// arguments poison form one series, in which the numbers simply count up, so a
// block's planes follow from the block before by flipping a few.
// Threads: a BitSliced belongs to one thread.
#pragma once

#include "checker/semantics/verdict.h"
#include "checker/sliced/bitsliced_kernel.h"
#include "checker/value/inputs.h"
#include "corpus/program/program.h"

#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace checker {

class BitSliced {
public:
  /// `stepLimit`: steps, on 512 inputs each, for one check.
  BitSliced(bitsliced::Kernel kernel, double stepLimit)
      : kernel_(kernel), stepLimit_(stepLimit) {}

  struct Result {
    enum class Word : std::uint8_t {
      refines,
      wrong,
      needsSets, ///< loops, calls, or registers that hold sets
      tooMany,   ///< inputs, or picks of freezes
    };
    Word word = Word::refines;
    Kind kind = Kind::value;
    std::optional<Input> smallest; ///< of wrong, when wanted
  };

  /// Requires equal parameter and return types. Arguments are numbers, or also
  /// poison unless `semantics` has inputs=defined; never sets.
  Result check(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, bool wantSmallest);

private:
  /// What may make a value poison: one bit for each argument that is, and
  /// `always` where a number may become poison.
  using MayBePoison = std::uint32_t;
  static constexpr MayBePoison always = 1 << 8;

  /// Small enough for registers: values are looked up all the time.
  struct Value {
    static constexpr std::uint32_t none = ~std::uint32_t(0);
    std::uint32_t planes = none;
    MayBePoison poison = 0;
    bool exists() const { return planes != none; }
  };
  struct Choice {
    std::uint32_t planes = 0; ///< as of a value
    std::uint8_t width = 0;
    MayBePoison when = 0;
  };
  static constexpr std::size_t maximumChoices = 8;
  /// Argument types, then what the target's freezes pick; 0 from the first
  /// word on that is not needed.
  struct LayoutKey {
    std::array<std::uint64_t, 1 + maximumChoices / 2> words{};
    friend bool operator==(const LayoutKey &, const LayoutKey &) = default;
  };
  struct LayoutKeyHash {
    std::size_t operator()(const LayoutKey &key) const {
      std::uint64_t hash = 0;
      for (std::uint64_t word : key.words) {
        if (word == 0)
          break;
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };
  struct Layout {
    std::vector<bitsliced::Plane> planes;
    std::vector<std::uint32_t> counters;
    std::vector<bitsliced::Series> series;
    double blocks = 0;
  };
  struct Side {
    std::vector<bitsliced::Step> steps;
    std::vector<Choice> choices; ///< one for each freeze
    std::vector<Value> arguments;
    std::vector<Value> results; ///< by instruction
    std::uint32_t returned = 0;
  };
  enum class Mode : std::uint8_t {
    exact,
    freezeDropped, ///< without some of the target's freezes
    beforeFreeze,  ///< up to the freeze, returning what it freezes
    afterFreeze,   ///< from the freeze on, which gives any number
  };
  class LayoutBuilder;
  struct SmallestInput;

  bool compile(const corpus::Program &program, const Semantics &semantics,
               Side &side);
  bool compile(const corpus::Program &program, const Semantics &semantics,
               const corpus::Instruction &instruction, Side &side);
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::uint32_t plane = 0; ///< the lanes that take it
  };
  bool hasValueOfTarget(const corpus::Program &source,
                        const corpus::Instruction &instruction,
                        const Semantics &semantics) const;
  bool compileBlocks(const corpus::Program &program, const Semantics &semantics,
                     Side &side);
  bool compilePhi(const corpus::Program &program, const Semantics &semantics,
                  const corpus::Instruction &instruction, std::size_t block,
                  Side &side);
  bool compileBranch(const corpus::Program &program, const Semantics &semantics,
                     const corpus::Instruction &instruction, std::size_t block,
                     std::uint32_t active, Side &side);
  void addEdge(std::size_t from, std::size_t to, std::uint32_t plane,
               Side &side);
  Value valueOf(const corpus::Operand &operand, const Semantics &semantics,
                const Side &side);
  void restrict(const corpus::Attributes &attributes, corpus::Type type,
                Side &side, Value &value);
  std::uint32_t literal(corpus::Type type, std::uint64_t bits, bool poison);
  std::uint32_t allocate(unsigned planes);
  const Layout &layoutOf(const corpus::Program &source, bool poisonInputs);
  bool prepare(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, Mode mode);
  std::optional<std::uint8_t> run(const corpus::Program &source,
                                  const Semantics &semantics,
                                  corpus::Type returned, double limit,
                                  SmallestInput *smallest);
  bool isProvedInParts(const corpus::Program &source,
                       const corpus::Program &target,
                       const Semantics &semantics);
  unsigned usedWidth(const corpus::Program &program,
                     std::size_t argument) const;
  void removeDeadSteps();
  void preparePicks(const corpus::Program &target, std::uint32_t zero);

  bitsliced::Kernel kernel_;
  double stepLimit_;
  std::vector<bitsliced::Plane> file_;
  std::uint32_t filePlanes_ = 0;
  std::uint32_t inputPlanes_ = 0;
  Mode mode_ = Mode::exact;
  /// While the source is compiled: instructions that both begin with.
  std::size_t shared_ = 0;
  std::size_t sourcePicks_ = 0;
  unsigned unusedArguments_ = 0; ///< one bit each
  std::vector<bool> livePlanes_;
  std::vector<Edge> edges_; ///< of the side that is compiled, so far
  Side source_;
  Side target_;
  std::vector<bitsliced::Pick> picks_;
  std::vector<std::uint32_t> guesses_;
  std::unordered_map<LayoutKey, Layout, LayoutKeyHash> layouts_;
  const std::pair<const LayoutKey, Layout> *latestLayout_ = nullptr;
};

} // namespace checker
