// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `irsieve hunt` tries when nothing else is said: spaces and pipelines, a
// line each, with what it is for. An arm of a hunt is one of each that go
// together.
// Threads: immutable data.
#pragma once

#include "runner/hunt/scheduler.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace runner {

/// What the functions of a space have, beside straight lines; a set.
enum Feature : std::uint8_t {
  straightLine = 0,
  branches = 1,
  loops = 2,
  memory = 4,
  vectors = 8,
  patterns = 16, ///< a vocabulary of idioms
  twice = 32,    ///< the modifier `pairs`
  unknown = 64,  ///< somebody's functions, which may have any of these
  folds = 128,   ///< patterns that are near what passes rewrite
};

struct HuntSpace {
  std::string_view spec;
  /// How many it has, which stands here so that a hunt need not count them all
  /// before it begins.
  std::uint64_t functions;
  std::string_view purpose;
  /// Of CPU time that it takes to check one of its functions that a pipeline
  /// changed.
  double microseconds;
  /// Of its functions; empty: LLVM's default, which has no native integers.
  std::string_view dataLayout = "";
};

struct HuntPipeline {
  std::string_view passes;
  /// Only spaces with at least these features are worth its time.
  std::uint8_t needs;
  /// Of the spaces that are most like what it is for.
  std::uint8_t home;
  /// Features that it does nothing with, so that others know those spaces.
  std::uint8_t ignores;
  /// Its share of the time, against the others.
  double weight;
  /// What a function of a few instructions takes, unless it is changed. It
  /// stands here and is not measured, so that decisions depend on no machine.
  double microseconds;
  std::string_view purpose;
  /// Estimated seconds of the first look at a space of patterns or of pairs,
  /// which shows little in a tenth of one, at its home's vectors, and at one of
  /// its home that ends by then; near folds four times as long. 0: it looks for
  /// no patterns.
  double patterns = 0;
};

std::span<const HuntSpace> huntSpaces();
std::span<const HuntPipeline> huntPipelines();

/// That a space is looked at with: what a user gives stands before its own.
std::string dataLayoutOf(const HuntSpace &space, const std::string &given);

/// Features of a spec, by its modifiers; of one that names a file, unknown.
std::uint8_t featuresOf(std::string_view spec);
/// The line of a pipeline of the table, or one that fits any other.
HuntPipeline pipelineRow(std::string_view passes);

/// Whether the two make an arm. Pairs are for those whose home they are, and
/// folds for those to whose home they are near.
bool goTogether(const HuntPipeline &pipeline, std::uint8_t features);
/// In how many features a space differs from the pipeline's home, patterns
/// and folds aside; a vector is a straight line of lanes.
unsigned distance(const HuntPipeline &pipeline, std::uint8_t features);
/// Estimated CPU time for a function: more blocks take longer, and memory takes
/// a checker that looks at every place it may be. `spec` may be of no line of
/// the table.
Cost costOf(const HuntPipeline &pipeline, std::uint8_t features,
            std::string_view spec);
/// Of the first look at a space of so many functions, in estimated seconds:
/// longer at patterns and pairs, at the vectors of the pipeline's home, and at
/// what is most like that home and ends by then; and longest near folds.
double firstSlice(const HuntPipeline &pipeline, std::uint8_t features,
                  const Cost &cost, std::uint64_t functions);

} // namespace runner
