// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/memo.h"

namespace runner {
namespace {

/// Entries of hash tables that are a third to three quarters full.
constexpr std::size_t bytesOfEntry = 64;

std::size_t bytesOf(const corpus::Program &program) {
  return sizeof program + bytesOfEntry +
         program.instructions.capacity() * sizeof(corpus::Instruction) +
         program.operands.capacity() * sizeof(corpus::Operand) +
         program.blocks.capacity() * sizeof(corpus::Block) +
         program.signature.parameters.capacity() * sizeof(corpus::Parameter) +
         program.callees.capacity() * sizeof(corpus::Callee) +
         program.callAttributes.capacity() * sizeof(corpus::CallAttributes);
}

} // namespace

const corpus::Program *Memo::find(FunctionKey::Value key,
                                  std::size_t stage) const {
  const auto found = ends_.find({key, static_cast<std::uint32_t>(stage)});
  return found == ends_.end() ? nullptr : &programs_[found->second];
}

void Memo::insert(FunctionKey::Value key, std::size_t stage,
                  const corpus::Program &end) {
  if (bytes_ > limit_)
    clear();
  const auto [index, isNew] =
      indexOf_.try_emplace(corpus::hash(end, scratch_),
                           static_cast<std::uint32_t>(programs_.size()));
  if (isNew) {
    programs_.push_back(end);
    bytes_ += bytesOf(programs_.back());
  } else if (programs_[index->second] != end) {
    return; // two programs of one hash
  }
  ends_.try_emplace({key, static_cast<std::uint32_t>(stage)}, index->second);
  bytes_ += bytesOfEntry;
}

void Memo::clear() {
  ends_.clear();
  indexOf_.clear();
  programs_.clear();
  bytes_ = 0;
}

} // namespace runner
