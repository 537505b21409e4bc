// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spaces whose functions are counted and ranked by layout (layouts.h): those
// with so many control-flow graphs that a DecisionGraph would be too large.
// Ranks go by layout, then by what the instructions are, in program order, then
// by operands, those of phis last.
// Threads: as any Space.
#pragma once

#include "enumerate/grammar.h"
#include "enumerate/space.h"
#include "enumerate/spec.h"

#include <memory>

namespace enumerate {

/// Whether the graph of a space would be too large for certain. Depends on
/// nothing but the spec, since ranks are permanent.
bool isRankedByLayout(const SpaceSpec &spec, const Grammar &grammar);

/// Requires LayoutTables::covers(). Fails when the count might not fit 128
/// bits.
corpus::Result<std::unique_ptr<Space>> makeLayoutSpace(const SpaceSpec &spec,
                                                       Grammar grammar);

} // namespace enumerate
