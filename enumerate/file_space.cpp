// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/file_space.h"

#include "corpus/program/encode.h"
#include "enumerate/edits.h"
#include "enumerate/lack.h"
#include "enumerate/rank_cursor.h"
#include "enumerate/spec.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <fmt/format.h>
#include <unordered_map>

namespace enumerate {

using corpus::Error;
using corpus::Program;
using corpus::Result;

namespace {

/// Half a gigabyte of index.
constexpr std::uint64_t maximumNear = 10'000'000;

/// Whether one edit may make one of the other: it leaves the types of the
/// parameters and of the result, and changes, adds or takes one instruction.
bool mayBeNear(const Program &a, const Program &b) {
  const auto isOfType = [](const auto &x, const auto &y) {
    return x.type == y.type;
  };
  if (a.signature.returnType != b.signature.returnType ||
      !std::ranges::equal(a.signature.parameters, b.signature.parameters,
                          isOfType))
    return false;
  std::vector<int> more(corpus::opcodeTable().size());
  for (const corpus::Instruction &instruction : a.instructions)
    ++more[static_cast<std::size_t>(instruction.opcode)];
  for (const corpus::Instruction &instruction : b.instructions)
    --more[static_cast<std::size_t>(instruction.opcode)];
  int different = 0;
  for (const int count : more)
    different += std::abs(count);
  return different <= 2;
}

/// What spaces of edited programs have in common: nothing is known of their
/// symmetry, and a cursor asks at().
class EditedSpace : public Space {
public:
  std::string spec() const final { return spec_; }
  std::optional<Symmetry> symmetry() const final { return symmetry::args; }
  std::unique_ptr<Cursor> from(Rank rank) const final {
    return std::make_unique<RankCursor>(*this, std::min(rank, count()));
  }
  std::string nameOf(Rank rank) const final {
    return fmt::format("{}#{}", spec_, rank);
  }

protected:
  explicit EditedSpace(std::string spec) : spec_(std::move(spec)) {}

private:
  std::string spec_;
};

/// The distinct programs within one edit, as indices only.
class NearSpace final : public EditedSpace {
public:
  NearSpace(std::string spec, std::vector<NamedProgram> bases)
      : EditedSpace(std::move(spec)), bases_(std::move(bases)) {
    for (const NamedProgram &base : bases_)
      edits_.emplace_back(base.program);
    for (std::uint32_t b = 0; b < bases_.size(); ++b)
      add({b, none}, bases_[b].program);
    for (std::uint32_t b = 0; b < bases_.size(); ++b)
      for (std::uint64_t i = 0; i < edits_[b].count(); ++i)
        add({b, i}, edits_[b].apply(i));
  }

  Rank count() const override { return members_.size(); }
  Program at(Rank rank) const override {
    assert(rank < count());
    const Member &member = members_[static_cast<std::size_t>(rank)];
    return member.edit == none ? bases_[member.base].program
                               : edits_[member.base].apply(member.edit);
  }
  std::optional<Rank> rank(const Program &program) const override {
    const auto [begin, end] = byHash_.equal_range(corpus::hash(program));
    for (auto it = begin; it != end; ++it)
      if (at(it->second) == program)
        return it->second;
    return std::nullopt;
  }
  std::string whyNotMember(const Program &) const override {
    return "more than one edit away from every function of the file";
  }
  std::optional<std::string> lackIn(unsigned release) const override {
    Lack lack(release);
    for (const NamedProgram &base : bases_)
      for (const corpus::Instruction &instruction : base.program.instructions)
        lack.note(instruction.opcode, instruction.flags);
    return lack.message("leave those functions out");
  }

private:
  static constexpr std::uint64_t none = ~std::uint64_t(0);
  struct Member {
    std::uint32_t base;
    std::uint64_t edit; ///< or none
  };

  void add(Member member, const Program &program) {
    if (rank(program))
      return;
    byHash_.emplace(corpus::hash(program), members_.size());
    members_.push_back(member);
  }

  std::vector<NamedProgram> bases_;
  std::vector<Edits> edits_; ///< of each base
  std::vector<Member> members_;
  std::unordered_multimap<std::uint64_t, std::uint64_t> byHash_;
};

class SpaceAround final : public EditedSpace {
public:
  SpaceAround(std::string spec, std::unique_ptr<Space> space,
              Edits::Kinds kinds)
      : EditedSpace(std::move(spec)), space_(std::move(space)), kinds_(kinds) {
    begins_.push_back(leading());
    const bool isKept = leading() <= maximumKept;
    for (auto cursor = space_->from(0); !cursor->atEnd(); cursor->next()) {
      Edits edits(cursor->program(), kinds_);
      begins_.push_back(begins_.back() + edits.count());
      if (isKept)
        kept_.push_back(std::move(edits));
    }
  }

  Rank count() const override { return begins_.back(); }
  Rank leading() const override { return space_->count(); }
  Program at(Rank rank) const override {
    assert(rank < count());
    if (rank < leading())
      return space_->at(rank);
    const auto member = static_cast<std::uint64_t>(
        std::upper_bound(begins_.begin(), begins_.end(), rank) -
        begins_.begin() - 1);
    const auto edit = static_cast<std::uint64_t>(rank - begins_[member]);
    return kept_.empty() ? editsOf(member).apply(edit)
                         : kept_[member].apply(edit);
  }
  std::optional<Rank> rank(const Program &program) const override {
    if (const auto member = space_->rank(program))
      return member;
    for (std::uint64_t member = 0; member < leading(); ++member) {
      if (!mayBeNear(space_->at(member), program))
        continue;
      const Edits edits = editsOf(member);
      for (std::uint64_t i = 0; i < edits.count(); ++i)
        if (edits.apply(i) == program)
          return begins_[member] + i;
    }
    return std::nullopt;
  }
  std::string whyNotMember(const Program &) const override {
    return "too many edits away from every function of the list";
  }
  std::optional<std::string> lackIn(unsigned release) const override {
    return space_->lackIn(release);
  }

private:
  /// Of so many members: to make them again for each function takes longer
  /// than the rest.
  static constexpr std::uint64_t maximumKept = 10'000;

  Edits editsOf(Rank member) const { return Edits(space_->at(member), kinds_); }

  std::unique_ptr<Space> space_;
  Edits::Kinds kinds_;
  std::vector<Edits> kept_;  ///< by member, or none
  std::vector<Rank> begins_; ///< of its edits, by member of space_, and the end
};

} // namespace

Result<std::unique_ptr<Space>> makeNearSpace(std::string spec,
                                             std::vector<NamedProgram> bases,
                                             unsigned edits) {
  assert(edits == 1 || edits == 2);
  std::uint64_t near = bases.size();
  for (const NamedProgram &base : bases)
    near += Edits(base.program).count();
  if (near > maximumNear)
    return Error{fmt::format("space {} has {} edits to index, more than {}: "
                             "take fewer or smaller functions",
                             spec, near, maximumNear)};
  auto once = std::make_unique<NearSpace>(spec, std::move(bases));
  if (edits == 1)
    return std::unique_ptr<Space>(std::move(once));
  return makeSpaceAround(std::move(spec), std::move(once), Edits::Kinds::all);
}

std::unique_ptr<Space> makeSpaceAround(std::string spec,
                                       std::unique_ptr<Space> space,
                                       Edits::Kinds kinds) {
  return std::make_unique<SpaceAround>(std::move(spec), std::move(space),
                                       kinds);
}

Result<std::vector<NamedProgram>> readBases(const std::string &path,
                                            corpus::ProgramReader &reader) {
  auto functions = reader.read(path, corpus::Reading::toRun);
  if (!functions)
    return functions.error();
  std::vector<NamedProgram> programs;
  for (corpus::ReadFunction &function : *functions) {
    std::string name = fmt::format("{}: @{}", path, function.name);
    if (const auto *unsupported =
            std::get_if<corpus::Unsupported>(&function.body))
      return Error{
          fmt::format("{} is out of scope: {}; take it out of the file", name,
                      unsupported->reason)};
    programs.push_back(
        {std::move(name), std::get<Program>(std::move(function.body))});
  }
  if (programs.empty())
    return Error{fmt::format("{} has no functions with a body", path)};
  return programs;
}

std::optional<unsigned> takeEdits(std::string_view &spec) {
  constexpr std::string_view word = ":edits=";
  const std::size_t at = spec.rfind(word);
  if (at == std::string_view::npos)
    return 1;
  const auto edits = parseNumber(spec.substr(at + word.size()), 1, 2);
  spec = spec.substr(0, at);
  return edits;
}

Result<std::optional<FileSpec>> parseFileSpec(std::string_view spec) {
  constexpr std::string_view corpusPrefix = "corpus:";
  constexpr std::string_view nearPrefix = "near:";
  if (spec.starts_with(corpusPrefix))
    return std::optional(
        FileSpec{std::string(spec.substr(corpusPrefix.size())), 0});
  if (!spec.starts_with(nearPrefix))
    return std::optional<FileSpec>();
  std::string_view path = spec.substr(nearPrefix.size());
  const auto edits = takeEdits(path);
  if (!edits)
    return Error{fmt::format("space `{}`: edits= takes 1 or 2", spec)};
  return std::optional(FileSpec{std::string(path), *edits});
}

Result<std::unique_ptr<Space>> makeFileSpace(std::string_view spec,
                                             std::vector<NamedProgram> bases) {
  const auto file = parseFileSpec(spec);
  if (!file)
    return file.error();
  if (!*file || (*file)->edits == 0)
    return makeListSpace(std::string(spec), std::move(bases));
  return makeNearSpace(fmt::format("near:{}{}", (*file)->path,
                                   (*file)->edits == 2 ? ":edits=2" : ""),
                       std::move(bases), (*file)->edits);
}

Result<std::unique_ptr<Space>> openSpace(std::string_view spec,
                                         corpus::ProgramReader &reader) {
  const auto file = parseFileSpec(spec);
  if (!file)
    return file.error();
  if (!*file)
    return parseSpace(spec);
  auto bases = readBases((*file)->path, reader);
  if (!bases)
    return bases.error();
  return makeFileSpace(spec, std::move(*bases));
}

} // namespace enumerate
