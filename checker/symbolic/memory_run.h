// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All runs of a program with memory as formulas: no arrays, no reduction. A
// pointer is a block and a 64-bit offset; which argument points into which
// block, where the block is and which of its bytes are valid are variables, so
// this is a check of the scenarios of checker/memory that shares nothing with
// them. Memory is the list of what was written; a load looks through it from
// the latest entry on, and what nothing wrote is a variable for each place.
//
// Loops are unrolled as runs go: a round ends where a back edge is taken.
//
// Where a local lies is a choice (a fork) of the run that compares its address;
// other locals lie far from everything that an argument can point to.
// Threads: belongs to its Z3 context, and that to one thread.
#pragma once

#include "checker/symbolic/memory_inputs.h"
#include "checker/symbolic/trace.h"
#include "corpus/program/graph.h"
#include "corpus/program/library.h"
#include "corpus/program/program.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace checker::smt {

/// A load whose bytes a caller or a call may have written. What it reads is
/// assumed to be of its type: a pointer, or no part of one.
struct TypedRead {
  SymbolicPointer pointer;
  std::uint64_t size;
  bool isPointer;
};

// Reasons why a pair is not decided.
inline constexpr std::string_view readsBoth =
    "memory that is read as a pointer and as a number";
inline constexpr std::string_view knowsLocal =
    "inttoptr, where the address of a local may be known";

class MemoryRun {
public:
  /// Bytes that a copy is made of one by one.
  static constexpr std::uint64_t maximumCopy = 64;

  MemoryRun(const corpus::Program &program, const Semantics &semantics,
            MemoryInputs &inputs, Side side, FreshVariables &fresh,
            unsigned unroll);

  struct Value {
    Term term;              ///< of a pointer: the offset
    std::vector<Term> rest; ///< the lanes behind the first
    std::optional<SymbolicPointer> pointer;
    z3::expr basedOn; ///< of a pointer: a bit for each parameter; 16 bits
    Variables choices;
    /// A number was made this pointer: it is in the local that is at its
    /// address where it is used, if that address is a number.
    bool isAnywhere = false;

    std::size_t lanes() const { return 1 + rest.size(); }
    const Term &lane(std::size_t i) const {
      return i == 0 ? term : rest[i - 1];
    }
    Term &lane(std::size_t i) { return i == 0 ? term : rest[i - 1]; }
  };

  /// What there is no formula for; else the rest says nothing.
  const std::string &lack() const { return lack_; }
  const Variables &forks() const { return forks_; }
  const z3::expr &ub() const { return ub_; }
  const Variables &ubPicks() const { return ubPicks_; }
  const std::optional<Value> &returned() const { return returned_; }
  /// What is returned was not captured through the result.
  const z3::expr &returnsUseless() const { return returnsUseless_; }
  bool writesMemory() const { return !writes_.empty(); }
  /// What stood where it writes is an input like what it reads. False where
  /// nobody can say in how many places.
  bool readWhatIsWritten();
  /// Of the block of a pointer that is returned.
  struct HeapBlock {
    z3::expr isLive; ///< it is one of the heap, and not freed
    z3::expr size;
    z3::expr family;    ///< 8 bits
    z3::expr alignment; ///< 64 bits
  };
  /// Nothing where none can be.
  std::optional<HeapBlock> returnedHeapBlock() const;
  /// The address of a local is a number.
  bool exposesLocals() const { return exposesLocals_; }
  /// A number is made a pointer, of which no local is thought.
  bool readsAddresses() const { return readsAddresses_; }
  /// Whether an allocation may fail, it asked.
  bool allocates() const { return allocations_ != 0; }
  /// Whether a call shows in memory alone, and not that it was made.
  bool callsUnseen() const { return callsUnseen_; }
  /// The result of one is noalias: later calls may be given it where none is.
  bool callsForObjects() const { return callsForObjects_; }
  /// What the call that is made after so many others knows of an argument that
  /// is a pointer.
  struct KnownArgument {
    bool isGiven;     ///< a local that nobody else knows
    bool hasLifetime; ///< a local, which may lie where another one lay
    std::uint64_t name;
  };
  /// Nothing where no call is made.
  std::optional<std::vector<KnownArgument>>
  argumentsAt(const z3::model &model, std::size_t position) const;
  /// It freed a block that it was given.
  bool freesOthers() const { return !freedOthers_.empty(); }
  /// A call was given a block of the heap, or one is in memory.
  bool mayShareHeap() const;
  /// It reads a pointer as a number, or the reverse: nobody says what that is.
  const z3::expr &puns() const { return puns_; }
  /// It reads bytes of a pointer as those of its address.
  const z3::expr &readsPointerBytes() const { return readsPointerBytes_; }
  /// A comparison of so many bytes is given poison behind the first ones that
  /// differ: C does not say whether that is looked at.
  const z3::expr &readsPoisonBehind() const { return readsPoisonBehind_; }
  const std::vector<TypedRead> &reads() const { return reads_; }
  Trace trace() const;
  /// It goes back to earlier blocks more often than `unroll` times.
  const z3::expr &beyond() const { return beyond_; }
  /// No call has freed the block.
  z3::expr isStillThere(const SymbolicPointer &pointer) const {
    return isAlive(pointer);
  }
  /// Calls were given locals, captured or not.
  bool passesLocals() const { return passesLocals_; }
  /// What stands there at the end; `choices` of it are added.
  SymbolicByte last(const SymbolicPointer &pointer, Variables &choices);
  const std::optional<Value> &value(std::size_t instruction) const {
    return settled_[instruction];
  }
  /// The run comes there. Requires value(instruction).
  const z3::expr &reached(std::size_t instruction) const {
    return reached_.at(instruction);
  }

private:
  struct Write {
    z3::expr guard;
    SymbolicPointer pointer;
    bool isWholeBlock = false; ///< of a local: all of it
    std::size_t call = noCall; ///< what a call leaves: index into reaches_
    SymbolicByte byte;
    Variables choices;
    z3::expr basedOn;
    /// So many bytes from `pointer` on, each of them `byte`.
    std::optional<z3::expr> length = std::nullopt;
    /// Or what stood from here on before.
    std::optional<SymbolicPointer> from = std::nullopt;
    z3::expr isPoison = basedOn.ctx().bool_val(false); ///< the copy is
  };
  static constexpr std::size_t noCall = ~std::size_t(0);
  static constexpr unsigned mostLocals =
      MemoryInputs::firstGiven - MemoryInputs::firstLocal;
  static constexpr std::uint32_t mostAlignment = 64; ///< told apart
  z3::expr usualBase(unsigned local) const;
  /// What a call may do to memory.
  struct Reach {
    std::uint64_t other = 0; ///< without an argument: read, write
    struct Passed {
      SymbolicPointer pointer;
      std::uint64_t allowed;
      std::uint64_t permitted; ///< by the attributes of the argument
      z3::expr basedOn;
    };
    std::vector<Passed> passed;
    /// By which names a call knows a local: by one for the call alone, or by
    /// the one that it was captured under, then or before.
    struct Naming {
      z3::expr isGiven;
      unsigned given;  ///< MemoryInputs::firstGiven and so on
      z3::expr offset; ///< in the local: where `given` counts from
      z3::expr isKnown;
      z3::expr name;
      std::set<unsigned> names; ///< what `name` may be
    };
    std::map<unsigned, Naming> names;   ///< by local
    std::vector<SymbolicPointer> shown; ///< pointers among the arguments
    /// Locals that it knows without an argument: to read, to write.
    std::map<unsigned, std::pair<z3::expr, z3::expr>> escaped;
    std::vector<z3::expr> touched; ///< by parameter; literally true if any
    std::vector<z3::expr> at;      ///< by position
    bool mayFree = false;
  };
  struct Access {
    z3::expr guard;
    SymbolicPointer pointer;
    z3::expr size;
    z3::expr basedOn;
    bool isWrite;
  };
  /// A block of this run: of an alloca, or of the heap.
  struct Local {
    z3::expr size;
    z3::expr base;
    bool isPlaced = false; ///< `base` is a choice
    std::uint32_t alignment = 1;
    corpus::HeapFamily family = corpus::HeapFamily::none;
    bool hasLifetime = false; ///< it may lie where another one lies later
    z3::expr isAlive;
    z3::expr isEscaped;          ///< later calls may read it
    z3::expr isEscapedForWrites; ///< and write it
    z3::expr isKnown;            ///< a call has captured something of it
    z3::expr name; ///< where it is known: MemoryInputs::nameOfCaptured()
    std::set<unsigned> names = {}; ///< what `name` may be
  };
  struct Loaded {
    SymbolicByte byte;
    Variables choices;
  };

  void run();
  void findHeaders();
  bool isBackEdge(std::size_t from, std::size_t to) const {
    return graph_.place(to) <= graph_.place(from);
  }
  bool isOfThisRound(std::size_t from, std::size_t block) const;
  void enterParameters();
  void runBlock(std::size_t index);
  bool block(std::size_t index);
  void instruction(std::size_t index);
  void dispatch(std::size_t index);
  void branch(const corpus::Instruction &instruction, std::size_t block);
  std::optional<Value> phi(std::size_t index, std::size_t block);
  void operate(std::size_t index);
  std::optional<Value> movedLanes(const corpus::Instruction &instruction,
                                  const std::vector<Value> &operands);
  Value ofLanes(std::vector<Term> lanes) const;
  Value undefPointer();
  void compare(std::size_t index);
  void select(std::size_t index);
  void freeze(std::size_t index);
  void getelementptr(std::size_t index);
  z3::expr isProductInRange(const z3::expr &factor, std::uint64_t scale,
                            bool isSigned) const;
  z3::expr isOutside(const SymbolicPointer &pointer) const;
  void load(std::size_t index);
  void loadPointer(std::size_t index);
  /// A byte that was loaded as one that never changes.
  struct InvariantByte {
    z3::expr guard;
    SymbolicPointer place;
  };
  void loadInvariant(const SymbolicPointer &pointer, std::uint64_t size);
  void requireInvariant(const InvariantByte &byte, std::size_t writes);
  z3::expr addressByte(const PointerPart &part);
  Value loadNumber(const SymbolicPointer &place, corpus::Type type,
                   const z3::expr &isPoison);
  void store(std::size_t index);
  void storeNumber(const Value &value, corpus::Type type,
                   const SymbolicPointer &place, const z3::expr &basedOn);
  void storePointer(const corpus::Instruction &instruction);
  void storePointer(const Value &value, const Value &to,
                    std::uint32_t alignment);
  /// Attributes of the parameters, or of the function, restrict what may be
  /// done through a pointer: who gets it in another way does not know that.
  bool hasRestrictions() const;
  bool mayBeRestricted(const Value &pointer) const;
  Value place(const corpus::Operand &operand);
  bool isComparedOnly(std::size_t index) const;
  void pointerToInteger(std::size_t index);
  void integerToPointer(std::size_t index);
  void noteRead(const SymbolicPointer &pointer, std::uint64_t size,
                bool isPointer);
  PointerPart partOf(const SymbolicByte &byte) const;
  SymbolicByte pickByte(const z3::expr &condition, const SymbolicByte &then,
                        const SymbolicByte &otherwise) const;
  void copy(std::size_t index);
  void fill(std::size_t index);
  z3::expr lengthOf(const corpus::Operand &operand);
  void copyRange(const Value &to, const Value &from, const z3::expr &length,
                 bool mayOverlap);
  void copyBytes(const Value &to, const Value &from, const z3::expr &length,
                 bool mayOverlap);
  void fillBytes(const Value &to, const Value &value, const z3::expr &length);
  void refuseOverlap(const Value &to, const Value &from,
                     const z3::expr &written, const z3::expr &read,
                     const z3::expr &isUbAtOnePlace);
  void lifetime(std::size_t index);
  void refuseInTailCall(const corpus::Instruction &instruction,
                        const Value &pointer);
  void ret(std::size_t index);
  void finishMemory();
  z3::expr isWritableByOthers(unsigned id) const;
  void call(std::size_t index);
  void readingCall(std::size_t index, const corpus::LibraryFunction &function);
  void writingCall(std::size_t index, const corpus::LibraryFunction &function);
  Value copyUntil(std::size_t index, const corpus::LibraryFunction &function,
                  const Value &to, const Value &from, const z3::expr &stop);
  /// Pointers and numbers, but for the size.
  struct LibraryOperands {
    std::vector<Value> places;
    std::vector<Value> numbers;
  };
  LibraryOperands libraryOperands(std::size_t index,
                                  const corpus::LibraryFunction &function);
  /// Bytes up to one that ends them, with it.
  struct String {
    std::vector<SymbolicByte> bytes;
    std::vector<z3::expr> isRead;
    std::vector<z3::expr> isInside; ///< and in front of the end
    z3::expr length;                ///< up to the end, if it is found
    z3::expr isFound;
  };
  String readUntil(const Value &from, const z3::expr &stop,
                   const std::optional<z3::expr> &most);
  String readString(const Value &from) {
    return readUntil(from, number(0, byteBits), std::nullopt);
  }
  void searchingCall(std::size_t index,
                     const corpus::LibraryFunction &function);
  Value foundAt(const Value &text, const z3::expr &at,
                const z3::expr &isFound) const;
  Value numberIn(std::size_t index, const corpus::LibraryFunction &function,
                 const LibraryOperands &given);
  Value copyFitting(std::size_t index, const corpus::LibraryFunction &function,
                    const LibraryOperands &given);
  Value append(std::size_t index, const corpus::LibraryFunction &function,
               const LibraryOperands &given);
  z3::expr accessByte(Value from, std::uint64_t offset);
  SymbolicByte plainByte(const SymbolicPointer &at, const z3::expr &isRead);
  z3::expr isPoisonByte(const SymbolicByte &byte) const;
  void returnFromLibrary(std::size_t index, Value result);
  std::uint64_t followedOf(std::optional<std::uint64_t> most) const;
  void goNoFurther(const z3::expr &isFollowed);
  std::optional<std::uint64_t>
  bytesBehind(const SymbolicPointer &pointer) const;
  void heapCall(std::size_t index, const corpus::LibraryFunction &function);
  Value allocate(const z3::expr &size, const z3::expr &fails,
                 std::uint32_t alignment,
                 const corpus::LibraryFunction &function);
  void free(const Value &pointer, corpus::HeapFamily family);
  z3::expr mayFail();
  z3::expr definedNumber(const corpus::Operand &operand);
  bool isHeap(unsigned id) const {
    return id >= MemoryInputs::firstLocal && locals_.contains(id) &&
           locals_.at(id).family != corpus::HeapFamily::none;
  }
  /// What `access` of the call reaches the block.
  z3::expr reaches(const Reach &reach, const SymbolicPointer &pointer,
                   std::uint64_t access) const;
  SymbolicRow rowOf(const Value &value, const Reach &reach);
  /// The byte at MemoryInputs::location(), where the call sees it.
  SymbolicRow shownBy(const Reach &reach, bool mayUnwind);
  /// A local that a call is given, by one of its arguments.
  struct PassedLocal {
    std::size_t argument;
    unsigned id;
    z3::expr offset;
    bool isCaptured;
  };
  void nameLocals(Reach &reach, const std::vector<PassedLocal> &passed);
  void appendTraits(SymbolicRow &row, const Reach &reach, const Value &value);
  SymbolicPointer shared(const SymbolicPointer &pointer,
                         const Reach &reach) const;
  SymbolicPointer ours(const SymbolicPointer &pointer,
                       const Reach &reach) const;
  /// `look` at each place of MemoryInputs::initial() that a load behind calls
  /// may find: by its name, and the number of the call.
  template <typename Look>
  void forEachEpoch(const SymbolicPointer &pointer, Look look) const {
    for (const Reach &reach : reaches_)
      for (std::size_t p = 0; p < reach.at.size(); ++p)
        if (!reach.at[p].is_false())
          look(shared(pointer, reach), p + 1);
  }
  Loaded leftBy(const Write &write, const SymbolicPointer &pointer,
                const Loaded &before);

  void fail(std::string why) {
    if (lack_.empty())
      lack_ = std::move(why);
  }
  void addUb(const z3::expr &condition, const Variables &picks);
  Value valueOf(const corpus::Operand &operand);
  /// An element of it, with choices of its own.
  Value use(const corpus::Operand &operand);
  Value picked(Value value);
  void restrict(const corpus::Attributes &attributes, corpus::Type type,
                Value &value);
  Value merged(const z3::expr &guard, const Value &then,
               const Value &otherwise) const;
  /// What `get` says of the block that it is in.
  template <typename Get>
  z3::expr lookUp(const SymbolicPointer &pointer, Get get) const {
    std::optional<z3::expr> result;
    for (const unsigned id : pointer.candidates) {
      if (id == 0)
        continue;
      const z3::expr here = get(id);
      result =
          result ? choose((pointer.block == number(id, blockWidth)).simplify(),
                          here, *result)
                 : here;
    }
    return result ? *result : get(0);
  }
  z3::expr address(const SymbolicPointer &pointer) const;
  z3::expr isValid(const SymbolicPointer &pointer, std::uint64_t size) const {
    return isValid(pointer, number(size, 64));
  }
  z3::expr isValid(const SymbolicPointer &pointer, const z3::expr &size) const;
  z3::expr isMisaligned(const SymbolicPointer &pointer,
                        std::uint64_t alignment) const;
  std::optional<unsigned> seenLocal(const SymbolicPointer &pointer) const;
  void observe(const SymbolicPointer &a, const SymbolicPointer &b);
  z3::expr testedForNull(const SymbolicPointer &pointer);
  void placeAnywhere(unsigned id);
  z3::expr isAlive(const SymbolicPointer &pointer) const;
  /// UB where it is not allowed; the answer is where a load is poison.
  z3::expr access(const Value &pointer, std::uint64_t size,
                  std::uint32_t alignment, bool isWrite) {
    return access(pointer, number(size, 64), alignment, isWrite);
  }
  z3::expr access(const Value &pointer, const z3::expr &size,
                  std::uint32_t alignment, bool isWrite);
  void noteAccess(const Access &access);
  SymbolicByte unwrittenByte();
  z3::expr readsInitialized(std::size_t i, const SymbolicPointer &pointer,
                            const z3::expr &size);
  z3::expr isWritten(const SymbolicPointer &pointer, std::uint16_t through);
  z3::expr hits(const Write &write, const SymbolicPointer &pointer) const;
  Loaded byteAt(const SymbolicPointer &pointer) {
    return byteAt(pointer, writes_.size(), guard_);
  }
  /// What the first `count` writes left there, where `guard` holds.
  Loaded byteAt(const SymbolicPointer &pointer, std::size_t count,
                const z3::expr &guard);
  Loaded copiedBy(std::size_t write, const SymbolicPointer &pointer);
  /// The same, with choices of its own: whoever looks at memory picks anew.
  Loaded seenAt(const SymbolicPointer &pointer);
  void write(const SymbolicPointer &pointer, const SymbolicByte &byte,
             const Variables &choices, const z3::expr &basedOn);
  static SymbolicPointer moved(const SymbolicPointer &pointer,
                               std::uint64_t bytes);
  z3::expr number(std::uint64_t value, unsigned width) const {
    return fresh_.context().bv_val(value, width);
  }
  Value integer(Term term) const;
  const corpus::CallAttributes *
  attributesOf(const corpus::Instruction &instruction) const;

  const corpus::Program &program_;
  const Semantics &semantics_;
  MemoryInputs &inputs_;
  Side side_;
  FreshVariables &fresh_;
  unsigned unroll_;
  corpus::Graph graph_;
  std::vector<std::size_t> blockOf_;
  /// By target of a back edge: where one comes from there.
  std::map<std::size_t, std::set<std::size_t>> reachedFrom_;
  std::string lack_;
  z3::expr no_;
  z3::expr yes_;
  z3::expr guard_;        ///< of the block at hand
  std::size_t block_ = 0; ///< the block at hand
  z3::expr beyond_;
  // Runs go round by round, from one back edge to the next.
  using Edges = std::map<std::pair<std::size_t, std::size_t>, z3::expr>;
  Edges edges_;                               ///< of this round
  Edges backEdges_;                           ///< into the next one
  std::vector<std::optional<Value>> values_;  ///< of the latest round
  std::vector<std::optional<Value>> settled_; ///< what a run computed last
  std::map<std::size_t, z3::expr> reached_;
  std::vector<Value> arguments_;
  std::map<unsigned, Local> locals_;
  std::map<std::size_t, unsigned> blockOfLocal_;
  unsigned nextLocal_ = MemoryInputs::firstLocal;
  std::size_t allocations_ = 0;
  std::map<unsigned, z3::expr> freedOthers_; ///< by block
  bool mayReuse_ = false; ///< a block may lie where one that was freed lay
  std::vector<Write> writes_;
  std::vector<Access> accesses_;
  std::vector<InvariantByte> invariantBytes_;
  std::vector<Reach> reaches_;
  std::vector<TypedRead> reads_;
  z3::expr puns_;
  z3::expr readsPointerBytes_;
  z3::expr readsPoisonBehind_;
  bool exposesLocals_ = false; ///< the address of one is a number
  std::set<unsigned> exposed_; ///< such locals
  bool callsUnseen_ = false;
  bool callsForObjects_ = false;
  bool passesLocals_ = false;
  bool capturesLocals_ = false;
  bool passesHeap_ = false;
  bool readsAddresses_ = false;   ///< a number is a pointer
  bool storesLocals_ = false;     ///< the address of one is in memory
  bool leavesRestricted_ = false; ///< a call may keep a restricted pointer
  std::deque<core::Call> callData_;
  std::vector<TracedCall> calls_;
  Variables forks_;
  z3::expr ub_;
  Variables ubPicks_;
  // By number of calls so far.
  std::vector<z3::expr> made_;
  std::vector<z3::expr> ubAt_;
  std::optional<Value> returned_;
  std::uint64_t uncaptured_ = 0; ///< parameters, a bit each, that a caller
                                 ///< does not get through the result
  z3::expr returnsUseless_;
};

} // namespace checker::smt
