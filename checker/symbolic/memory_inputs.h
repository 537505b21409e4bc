// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the source and the target of a check with memory are both given:
// arguments, the blocks that they may point into, what stands there, and what
// calls return and leave behind. All of it is variables of one Z3 context, with
// what is assumed of them.
// Threads: belongs to its Z3 context, and that to one thread.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/symbolic/variables.h"
#include "corpus/program/program.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace checker::smt {

constexpr unsigned byteBits = 8;
constexpr unsigned blockWidth = 8;
constexpr unsigned tagWidth = 16; ///< of SymbolicByte::stored
constexpr unsigned addressWidth = corpus::Type::pointerWidth;
/// Locals lie here, and nothing else does.
constexpr std::uint64_t localsBegin = std::uint64_t(1) << 62;
constexpr std::uint64_t localsEnd = localsBegin + (std::uint64_t(1) << 48);

struct SymbolicPointer {
  z3::expr block;                ///< 8 bits; 0: `offset` is the address
  z3::expr offset;               ///< 64 bits
  std::set<unsigned> candidates; ///< blocks that it may be in
};

/// That a byte is one of a pointer.
struct PointerPart {
  z3::expr place; ///< which one, from 1 on; 0: it is none. 8 bits
  SymbolicPointer pointer;
};

/// Eight bits of each. No bit is in two of `poison` and `uninit`.
struct SymbolicByte {
  z3::expr bits;
  z3::expr poison;
  z3::expr uninit;
  /// Of a type that does not fill its bytes: as Byte::stored; 16 bits.
  z3::expr stored;
  std::optional<PointerPart> part = std::nullopt; ///< nothing: of no pointer

  /// Bits that nobody wrote are poison.
  void poisonUninit();
  /// They are those of `pick`, 8 bits.
  void fillUninit(const z3::expr &pick);
};

enum class Side : std::uint8_t { source, target };

/// What a load of a number makes of the bytes of a pointer.
enum class PointerBytes : std::uint8_t {
  excluded,  ///< such runs are not looked at
  asAddress, ///< as ptrtoint: LangRef, memory has no types
};

/// What both sides are given: arguments, blocks, contents.
class MemoryInputs {
public:
  static constexpr unsigned firstGlobal = 64;
  static constexpr unsigned firstLocal = 128;
  /// Locals that nobody but a call at hand knows, by its first argument that
  /// points there; offsets count from where that one points.
  static constexpr unsigned firstGiven = 228;
  static constexpr unsigned mostGiven = 6;
  /// Locals that a call captured, by which call was the first, and which of its
  /// arguments: the same on both sides.
  static constexpr unsigned firstPassed = firstGiven + mostGiven;
  static constexpr unsigned mostPassed = 20;
  /// The block of the heap that is returned, likewise.
  static constexpr unsigned returnedBlock = firstPassed + mostPassed;

  MemoryInputs(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, FreshVariables &fresh,
               PointerBytes pointerBytes);

  struct Argument {
    Term term; ///< of a pointer: its offset
    SymbolicPointer pointer;
    std::vector<Term> rest; ///< the lanes behind the first
    bool isNoalias = false; ///< of a result
  };
  struct Block {
    z3::expr base;
    z3::expr size;    ///< valid bytes
    z3::expr maximum; ///< offsets up to here are in bounds
    z3::expr writable;
  };
  const Argument &argument(std::size_t index) const {
    return arguments_[index];
  }
  /// Blocks that are not local.
  const std::map<unsigned, Block> &blocks() const { return blocks_; }
  /// From firstPassed on; nothing where there are too many.
  std::optional<unsigned> nameOfCaptured(std::size_t epoch,
                                         std::size_t argument);
  unsigned blockOfGlobal(const std::string &name) const {
    return globals_.at(name);
  }
  /// What stands there before the first write, or what the call that is the
  /// number `epoch`, from 1 on, leaves there. `side`: whose pointer it is.
  SymbolicByte initial(const SymbolicPointer &pointer, Side side,
                       std::size_t epoch = 0);
  /// Whether that call leaves it alone.
  z3::expr isKept(const SymbolicPointer &pointer, Side side, std::size_t epoch);
  /// A run picks where it is, by freeze or undef or the place of a local.
  bool isPicked(const SymbolicPointer &pointer) {
    return (scopeOf(pointer.block) | scopeOf(pointer.offset)).picks;
  }
  /// Some run of the source picks where it reads. What it finds there is not
  /// fixed before: who finds the same everywhere is right, and who does not may
  /// not be wrong.
  bool isReadWherePicked() const { return isReadWherePicked_; }
  /// Whether that call frees the block, or touches it though a noalias argument
  /// points into it.
  z3::expr isFreed(std::size_t epoch, unsigned block);
  z3::expr isTouched(std::size_t epoch, std::size_t parameter);
  Term result(std::size_t epoch, const std::string &callee, unsigned width);
  const Argument &pointerResult(std::size_t epoch, const std::string &callee,
                                bool isNoalias);
  /// What a number becomes as a pointer: it is in a block that is there, or
  /// where nobody exposed that in none. Nothing if a run chooses the number.
  std::optional<SymbolicPointer> pointerTo(const z3::expr &address);
  /// In no block, but for where functions are null_pointer_is_valid.
  const SymbolicPointer &nullPointer();
  bool isNullValid() const { return nullIsValid_; }
  /// What may free the block: a corpus::HeapFamily, none if it is not of the
  /// heap. 8 bits.
  z3::expr heapFamily(unsigned block);
  /// Both sides choose the same: whether the allocation that is the number
  /// `index` fails. Where it is so, a wrong verdict says nothing.
  bool sharesAllocations() const { return sharesAllocations_; }
  z3::expr allocationFails(std::size_t index);
  /// An allocation of the target may; if none can, none of the source does.
  z3::expr someAllocationMayFail();
  PointerBytes pointerBytes() const { return pointerBytes_; }
  /// The programs have pointers in memory.
  bool holdsPointers() const { return holdsPointers_; }
  /// Of memory or of calls, more than there are blocks for.
  bool hasManyPointers() const { return hasManyPointers_; }
  /// Any one byte: what is not the same there is not the same.
  const SymbolicPointer &location() const { return location_; }
  /// What is known only after a run of the source has picked: location(),
  /// distances from it, and what is read there.
  const Variables &laterVariables() const { return laterVariables_; }
  /// Of two offsets. The same for all that lies at literal distances from
  /// these: a variable of its own, or else each pair of bytes would be
  /// subtracted anew.
  z3::expr distance(const z3::expr &from, const z3::expr &to);
  /// Two pointers are to one byte. Literally false where that can be seen.
  z3::expr samePlace(const SymbolicPointer &a, const SymbolicPointer &b);
  void assume(const z3::expr &fact) { assumptions_ = both(assumptions_, fact); }
  /// That memory has what is read there.
  void assumeType(const z3::expr &fact) { types_ = both(types_, fact); }
  const Variables &variables() const { return variables_; }
  /// What holds of them.
  z3::expr assumptions() const { return both(assumptions_, types_); }
  const z3::expr &assumptionsWithoutTypes() const { return assumptions_; }
  struct Read {
    std::size_t epoch;
    SymbolicPointer pointer;
    SymbolicByte byte;
    z3::expr isKept;
  };
  const std::deque<Read> &reads() const { return reads_; }

private:
  void addBlock(unsigned id, const corpus::Global *global);
  SymbolicPointer anyPointer(Variables &variables);
  std::optional<SymbolicPointer> newObject();
  std::optional<std::uint8_t> contentAt(const SymbolicPointer &pointer) const;
  void keepFromLocals(const SymbolicPointer &pointer);
  z3::expr fresh(unsigned width) { return fresh(width, variables_); }
  z3::expr fresh(unsigned width, Variables &variables);
  z3::expr freshBoolean() { return freshBoolean(variables_); }
  z3::expr freshBoolean(Variables &variables);
  const Read &read(const SymbolicPointer &pointer, Side side,
                   std::size_t epoch);
  z3::expr added(const z3::expr &variable, Variables &variables);
  /// What a term has beside inputs: laterVariables(), and what a run picks.
  struct Scope {
    bool later = false;
    bool picks = false;
    friend Scope operator|(Scope a, Scope b) {
      return {a.later || b.later, a.picks || b.picks};
    }
  };
  Scope scopeOf(const z3::expr &term);

  const Semantics &semantics_;
  FreshVariables &fresh_;
  PointerBytes pointerBytes_;
  std::vector<Argument> arguments_;
  std::map<unsigned, Block> blocks_;
  std::map<std::string, unsigned> globals_;
  std::map<std::pair<std::size_t, std::size_t>, unsigned> captured_;
  std::map<unsigned, std::vector<std::uint8_t>> contents_;
  std::deque<Read> reads_;
  std::map<std::pair<std::size_t, unsigned>, z3::expr> freed_;
  std::map<std::pair<std::size_t, std::size_t>, z3::expr> touched_;
  std::map<std::tuple<std::size_t, std::string, unsigned>, Term> results_;
  std::map<std::pair<std::size_t, std::string>, Argument> pointerResults_;
  /// Blocks of calls whose results are noalias; from here on nobody has them.
  unsigned nextObject_ = 0;
  unsigned endOfObjects_ = 0;
  std::vector<std::pair<z3::expr, SymbolicPointer>> pointersTo_; ///< by address
  bool nullIsValid_ = false;
  std::optional<SymbolicPointer> null_;
  std::map<unsigned, z3::expr> heapFamilies_;
  std::map<std::size_t, z3::expr> allocationFails_;
  std::optional<z3::expr> someAllocationMayFail_;
  bool sharesAllocations_ = false;
  bool holdsPointers_ = false;
  bool hasManyPointers_ = false;
  bool isReadWherePicked_ = false;
  SymbolicPointer location_;
  Variables laterVariables_;
  std::map<unsigned, Scope> scopes_; ///< by Z3's number of the term
  std::vector<z3::expr> scoped_;     ///< keeps these numbers
  std::map<std::pair<unsigned, unsigned>, z3::expr> distances_;
  Variables variables_;
  z3::expr assumptions_;
  z3::expr types_;
};

/// LangRef, noalias of a call's result: an object that nobody else can access.
bool returnsObject(const corpus::Program &program,
                   const corpus::Instruction &call);

/// Whether a block is in both.
bool intersect(const std::set<unsigned> &a, const std::set<unsigned> &b);

/// Of a byte that is none of a pointer.
PointerPart noPart(z3::context &context);

/// It may be in a local, or in a block of the heap of a run's own.
bool mayBeLocal(const SymbolicPointer &pointer);

/// It may be in a block that is no local.
bool mayBeGiven(const SymbolicPointer &pointer);

} // namespace checker::smt
