// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: the straight-line functions of a space as printed text, by
// generating everything with arguments in any numbering and keeping what the
// definition of a space allows. Shares no code with the spaces.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace enumerate::testing {

/// One way to write an instruction, with $0, $1, ... for its operands. An
/// overflow intrinsic comes with the lines that take its result apart, with $
/// for the result of the call.
struct Form {
  std::string text;
  std::vector<unsigned> operands;         ///< widths
  std::vector<unsigned> results;          ///< widths
  std::vector<std::string> extracts = {}; ///< one for each result, or none
};

struct BruteForceSpace {
  unsigned instructions = 0;
  std::size_t arguments = 3;
  std::vector<Form> forms;
  /// Constant leaves by width, as printed.
  std::map<unsigned, std::vector<std::string>> constants;
  /// Further leaves that count as constants: "undef", "poison".
  std::vector<std::string> indefinite;
  /// Numbers that stand for other types in the place of a width.
  std::map<unsigned, std::string> types = {};
};

/// What `core` has on arithmetic of that width.
std::vector<Form> arithmeticForms(unsigned width);
/// What `core` has on every type: select and freeze.
std::vector<Form> choiceForms(unsigned width);
/// `core` on i1 beside a wider type.
std::vector<Form> bitForms();
/// Casts between two types.
std::vector<Form> castForms(unsigned narrow, unsigned wide);
/// All of `core` on iW and i1.
std::vector<Form> coreForms(unsigned width);
/// The same forms on vectors of `lanes` lanes, which vectorOf(lanes, width)
/// stands for, and what moves or combines lanes: every modifier for vectors.
std::vector<Form> vectorForms(unsigned lanes, unsigned width);
constexpr unsigned vectorOf(unsigned lanes, unsigned width) {
  return 100 * lanes + width;
}
/// Every value of the type, as LLVM prints it.
std::vector<std::string> allConstants(unsigned width);
/// Of a vector those of one number, and such with one of `holes` in one lane.
std::vector<std::string> laneConstants(unsigned lanes, unsigned width,
                                       std::span<const std::string> holes);

/// The text of every member; a duplicate fails the running test.
std::set<std::string> generateAndFilter(const BruteForceSpace &space);

} // namespace enumerate::testing
