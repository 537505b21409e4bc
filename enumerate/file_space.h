// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spaces that come from somebody's files: the functions themselves
// (`corpus:FILE.ll`), and everything near them (`near:FILE.ll[:edits=2]`) or
// near other functions, which is mutation testing made exhaustive and
// index-addressable.
#pragma once

#include "corpus/program/reader.h"
#include "enumerate/edits.h"
#include "enumerate/space.h"

namespace enumerate {

/// Any space: `corpus:FILE`, `near:FILE[:edits=K]`, or what parseSpace() takes.
/// A function that a Program cannot express is an error that names it.
corpus::Result<std::unique_ptr<Space>> openSpace(std::string_view spec,
                                                 corpus::ProgramReader &reader);

/// Takes `:edits=K` from the end of a spec: 1 where it is not there, nothing
/// where K is neither 1 nor 2.
std::optional<unsigned> takeEdits(std::string_view &spec);

/// What a `corpus:` or `near:` spec says.
struct FileSpec {
  std::string path;
  unsigned edits = 0; ///< 0: the functions of the file and nothing else
};
/// Nothing for a spec that names no file. Fails for a bad `edits=`.
corpus::Result<std::optional<FileSpec>> parseFileSpec(std::string_view spec);

/// The functions of a file. Fails when there is none, and for one that a
/// Program cannot express.
corpus::Result<std::vector<NamedProgram>>
readBases(const std::string &path, corpus::ProgramReader &reader);

/// openSpace() with the functions at hand, so that whoever cannot read the file
/// has the same space: a `near:` spec, or any other for the functions alone.
corpus::Result<std::unique_ptr<Space>>
makeFileSpace(std::string_view spec, std::vector<NamedProgram> bases);

/// Every program within `edits` (1 or 2) edits of `bases`, as class Edits says,
/// the bases themselves first. With one edit each program comes up once; with
/// two it may come up more than once, and the count says so; rank() gives the
/// lowest and looks at all of them.
corpus::Result<std::unique_ptr<Space>>
makeNearSpace(std::string spec, std::vector<NamedProgram> bases,
              unsigned edits);

/// Every member of `space`, then all that is one such edit from each: nothing
/// is looked for, and what can be come by twice comes up twice.
std::unique_ptr<Space> makeSpaceAround(std::string spec,
                                       std::unique_ptr<Space> space,
                                       Edits::Kinds kinds);

} // namespace enumerate
