// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spaces that come from somebody's files: the functions themselves
// (`corpus:FILE.ll`), and everything near them (`near:FILE.ll[:edits=2]`),
// which is mutation testing made exhaustive and index-addressable.
#pragma once

#include "corpus/program/reader.h"
#include "enumerate/space.h"

namespace enumerate {

/// Any space: `corpus:FILE`, `near:FILE[:edits=K]`, or what parseSpace() takes.
/// A function that a Program cannot express is an error that names it.
corpus::Result<std::unique_ptr<Space>> openSpace(std::string_view spec,
                                                 corpus::ProgramReader &reader);

/// Every program within `edits` (1 or 2) edits of `bases`, as class Edits says,
/// the bases themselves first. With one edit each program comes up once; with
/// two it may come up more than once, and the count says so; rank() gives the
/// lowest and looks at all of them.
corpus::Result<std::unique_ptr<Space>>
makeNearSpace(std::string spec, std::vector<NamedProgram> bases,
              unsigned edits);

} // namespace enumerate
