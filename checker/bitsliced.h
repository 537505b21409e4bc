// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exhaustive engine for straight lines whose registers are single values:
// both programs run on all inputs, 512 at a time, one bit an input. What the
// target's freezes pick is an input too; what the source's pick is searched.
//
// The inputs of a signature are laid out once and kept. Inputs with the same
// arguments poison form one series, in which the numbers simply count up, so a
// block's planes follow from the block before by flipping a few.
// Threads: a BitSliced belongs to one thread.
#pragma once

#include "checker/bitsliced_kernel.h"
#include "checker/inputs.h"
#include "checker/verdict.h"
#include "corpus/program/program.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace checker {

class BitSliced {
public:
  /// `stepLimit`: steps on one block, for one check; the default is some
  /// seconds of work.
  explicit BitSliced(bitsliced::Kernel kernel = bitsliced::selectKernel(),
                     double stepLimit = 1 << 26)
      : kernel_(kernel), stepLimit_(stepLimit) {}

  struct Result {
    enum class Word : std::uint8_t {
      refines,
      wrong,
      needsSets, ///< not a straight line of single values
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
  /// Which arguments, when poison, may make a value poison.
  struct MayBePoison {
    std::uint8_t arguments = 0; ///< one bit each
    bool always = false;        ///< whatever the arguments are
  };
  struct Choice {
    std::uint32_t planes = 0; ///< as of a value
    std::uint8_t width = 0;
    MayBePoison when;
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
    std::vector<std::uint32_t> results;
    std::vector<MayBePoison> mayBePoison;
    std::vector<std::uint32_t> argumentPlanes;
    std::vector<MayBePoison> argumentPoison;
    std::uint32_t returned = 0;
  };
  class LayoutBuilder;
  struct SmallestInput;

  bool compile(const corpus::Program &program, const Semantics &semantics,
               Side &side);
  bool compile(const corpus::Program &program, const Semantics &semantics,
               const corpus::Instruction &instruction, std::size_t index,
               Side &side);
  void restrict(const corpus::Attributes &attributes, corpus::Type type,
                Side &side, std::uint32_t &planes, MayBePoison &poison);
  std::uint32_t literal(corpus::Type type, std::uint64_t bits, bool poison);
  std::uint32_t allocate(unsigned planes);
  const Layout &layoutOf(const corpus::Program &source, bool poisonInputs);

  bitsliced::Kernel kernel_;
  double stepLimit_;
  std::vector<bitsliced::Plane> file_;
  std::uint32_t filePlanes_ = 0;
  Side source_;
  Side target_;
  std::vector<bitsliced::Pick> picks_;
  std::string key_;
  std::unordered_map<std::string, Layout> layouts_;
};

} // namespace checker
