// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planes with memory against the reference interpreter, which finds windows,
// scenarios and the bits to try of each pair on its own, and against Z3, which
// knows none of these: random programs that load and store behind one or two
// arguments and in locals, straight or with branches, and edits of them.
#include "checker/sliced/memory_sliced.h"

#include "checker/agreement.h"
#include "checker/exact/reference.h"
#include "checker/render.h"
#include "checker/symbolic/memory_smt.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace checker {
namespace {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i1 = Type::integer(1);
const Type i8 = Type::integer(8);
const Type i16 = Type::integer(16);
const Type i64 = Type::integer(64);

struct Shape {
  unsigned pointers = 1;
  bool branches = false;
  bool wide = false; ///< accesses of two bytes, and steps between them
  bool attributes = false;
};

/// `i8 (i1)`, `i8 ()`, `i8 (ptr, i8, i1)` or `i8 (ptr, ptr, i1)`.
class Generator {
public:
  Generator(corpus::Random &random, const Shape &shape)
      : random_(random), shape_(shape) {}

  Program program() {
    Program made;
    program_ = &made;
    made.signature.returnType = i8;
    made.bigEndian = below(8) == 0;
    pointers_.clear();
    values_ = {Operand::constant(i8, below(256)), Operand::poison(i8)};
    for (unsigned i = 0; i < shape_.pointers; ++i)
      pointers_.push_back(made.addParameter(Type::pointer()));
    if (shape_.pointers == 1)
      values_.push_back(made.addParameter(i8));
    // Without any argument there is one input all the same.
    const bool hasBit = shape_.pointers > 0 || below(2) == 0;
    bits_ = {hasBit ? made.addParameter(i1) : Operand::constant(i1, 1)};
    if (below(3) == 0)
      values_.push_back(Operand::undef(i8));
    if (shape_.pointers == 0 || below(2) == 0)
      local();
    if (!shape_.branches) {
      steps(1 + below(4));
      ret();
      return made;
    }
    steps(below(2));
    made.append(Opcode::br, Type(),
                {bit(), Operand::block(1), Operand::block(2)});
    const auto before = std::tuple(pointers_, values_, bits_);
    made.beginBlock();
    steps(below(3));
    const Operand then = value();
    made.append(Opcode::br, Type(), {Operand::block(3)});
    std::tie(pointers_, values_, bits_) = before;
    made.beginBlock();
    steps(below(2));
    const Operand otherwise = value();
    made.append(Opcode::br, Type(), {Operand::block(3)});
    std::tie(pointers_, values_, bits_) = before;
    made.beginBlock();
    if (then != otherwise)
      values_.push_back(
          made.append(Opcode::phi, i8,
                      {then, Operand::block(1), otherwise, Operand::block(2)}));
    steps(below(3));
    ret();
    return made;
  }

  /// Of arguments, loads and the function, as an optimizer infers them and as
  /// it does not.
  void addAttributes(Program &program) {
    namespace attribute = corpus::attribute;
    for (corpus::Parameter &parameter : program.signature.parameters) {
      if (!parameter.type.isPointer())
        continue;
      corpus::Attributes &own = parameter.attributes;
      own = {};
      static constexpr std::uint32_t plain[] = {
          attribute::readonly, attribute::readnone, attribute::writeonly,
          attribute::writeonly, attribute::nofree};
      if (below(2) == 0)
        own.add(plain[below(5)]);
      if (below(4) == 0)
        own.add(below(2) == 0 ? attribute::noundef : attribute::nonnull);
      if (below(4) == 0)
        own.add(attribute::dereferenceable, 1 + below(2));
      if (below(3) == 0 && !own.has(attribute::readonly | attribute::readnone))
        own.add(attribute::initializes, 0, 1 + below(2));
      if (below(4) == 0)
        own.add(attribute::captures);
    }
    corpus::Attributes &function = program.signature.function;
    function = {};
    switch (below(6)) {
    case 0:
      function.add(attribute::memoryRead);
      return;
    case 1:
      function.add(attribute::memory,
                   corpus::memory::write << corpus::memory::argument);
      return;
    case 2:
      function.add(attribute::willreturn);
      return;
    default:
      return;
    }
  }

  /// Another value in some place, or an instruction less.
  Program edited(const Program &program) {
    Program out = program;
    for (unsigned tries = 0; tries < 30; ++tries) {
      out = program;
      const auto index = below(static_cast<unsigned>(out.instructions.size()));
      Instruction &at = out.instructions[index];
      if (at.operandCount == 0)
        continue;
      if (at.opcode == Opcode::store && below(3) == 0) {
        // What it would be if the store were not there, and nearly so.
        out.operands[at.firstOperand] =
            Operand::poison(out.operands[at.firstOperand].type);
      } else if (at.alignment > 1 && below(2) == 0) {
        at.alignment = 1;
      } else {
        Operand &operand =
            out.operands[at.firstOperand + below(at.operandCount)];
        if (operand.is(Operand::Kind::block))
          continue;
        std::vector<Operand> others;
        if (operand.type.isInteger())
          others = {Operand::constant(operand.type, below(256)),
                    Operand::poison(operand.type)};
        for (std::size_t i = 0; i < program.signature.parameters.size(); ++i)
          if (program.signature.parameters[i].type == operand.type)
            others.push_back(Operand::argument(operand.type, i));
        for (std::size_t i = 0; i < index; ++i)
          if (out.instructions[i].type == operand.type)
            for (unsigned twice = 0; twice < 2; ++twice)
              others.push_back(Operand::instruction(operand.type, i));
        if (operand.type.isPointer())
          others.push_back(Operand::null());
        operand = others[below(static_cast<unsigned>(others.size()))];
      }
      if (out != program && !corpus::verify(out))
        return out;
    }
    return out;
  }

  unsigned below(unsigned bound) {
    return static_cast<unsigned>(random_() % bound);
  }

private:
  Operand value() {
    return values_[below(static_cast<unsigned>(values_.size()))];
  }
  Operand bit() { return bits_[below(static_cast<unsigned>(bits_.size()))]; }
  Operand pointer() {
    return pointers_[below(static_cast<unsigned>(pointers_.size()))];
  }
  void ret() {
    static const std::vector<Operand> others = {
        Operand::null(), Operand::poison(Type::pointer())};
    switch (below(8)) {
    case 0:
      program_->signature.returnType = Type();
      program_->append(Opcode::ret, Type(), {});
      return;
    case 1:
      program_->signature.returnType = Type::pointer();
      program_->append(Opcode::ret, Type(),
                       {below(4) == 0 ? others[below(2)] : pointer()});
      return;
    default:
      program_->append(Opcode::ret, Type(), {value()});
    }
  }
  void local() {
    Instruction made;
    made.opcode = Opcode::alloca_;
    made.type = Type::pointer();
    made.accessedType = shape_.wide ? i16 : i8;
    made.alignment = 1U << below(2);
    pointers_.push_back(
        program_->append(made, std::array{Operand::constant(i64, 1)}));
  }
  void steps(unsigned count) {
    while (count-- > 0)
      step();
  }
  Operand load(Type type) {
    Instruction access;
    access.opcode = Opcode::load;
    access.type = type;
    access.alignment = below(4) == 0 ? 2 : 1;
    return program_->append(access, std::array{pointer()});
  }
  void store(const Operand &stored) {
    Instruction access;
    access.opcode = Opcode::store;
    access.alignment = below(4) == 0 ? 2 : 1;
    program_->append(access, std::array{stored, pointer()});
  }
  void step() {
    switch (below(shape_.wide ? 14 : 11)) {
    case 0:
    case 1:
    case 2:
      values_.push_back(load(i8));
      return;
    case 3:
    case 4:
    case 5:
      return store(value());
    case 6: {
      static constexpr Opcode binary[] = {Opcode::and_, Opcode::or_,
                                          Opcode::xor_, Opcode::lshr,
                                          Opcode::ashr, Opcode::add};
      const Opcode opcode = binary[below(6)];
      values_.push_back(program_->append(
          opcode, i8,
          {value(), below(5) == 0 ? value() : Operand::constant(i8, below(9))},
          opcode == Opcode::add && below(2) == 0 ? corpus::flag::nsw
                                                 : corpus::flag::none));
      return;
    }
    case 7:
      bits_.push_back(program_->append(
          Opcode::icmp, i1, {value(), Operand::constant(i8, below(256))}, {},
          below(2) == 0 ? corpus::Predicate::ult : corpus::Predicate::eq));
      return;
    case 8:
      values_.push_back(
          program_->append(Opcode::select, i8, {bit(), value(), value()}));
      return;
    case 9:
      values_.push_back(program_->append(Opcode::sext, i8, {bit()}));
      return;
    case 10:
      if (shape_.pointers > 0 && below(3) == 0)
        bits_.push_back(program_->append(
            Opcode::icmp, i1,
            {Operand::argument(Type::pointer(), 0), Operand::null()}, {},
            below(2) == 0 ? corpus::Predicate::ne : corpus::Predicate::eq));
      else
        bits_.push_back(program_->append(Opcode::trunc, i1, {value()}));
      return;
    case 11: {
      static constexpr corpus::Flags flags[] = {
          corpus::flag::none,     corpus::flag::none, corpus::flag::inbounds,
          corpus::flag::inbounds, corpus::flag::nuw,  corpus::flag::nusw};
      pointers_.push_back(program_->append(
          Opcode::getelementptr, Type::pointer(),
          {pointer(), Operand::constant(i64, below(4) == 0 ? -1 : 1),
           Operand::constant(i64, 1)},
          flags[below(6)]));
      return;
    }
    case 12: {
      const Operand wide = load(i16);
      const Operand part =
          below(2) == 0 ? wide
                        : program_->append(Opcode::lshr, i16,
                                           {wide, Operand::constant(i16, 8)});
      values_.push_back(program_->append(Opcode::trunc, i8, {part}));
      return;
    }
    default: {
      const Operand wide = program_->append(
          below(2) == 0 ? Opcode::zext : Opcode::sext, i16, {value()});
      return store(below(2) == 0
                       ? wide
                       : program_->append(Opcode::shl, i16,
                                          {wide, Operand::constant(i16, 8)}));
    }
    }
  }

  corpus::Random &random_;
  Shape shape_;
  Program *program_ = nullptr;
  std::vector<Operand> pointers_;
  std::vector<Operand> values_;
  std::vector<Operand> bits_;
};

class MemoryPlanes : public Agreement {
protected:
  /// What another engine says to a pair that planes have decided.
  using Other = std::function<Verdict(const Question &)>;

  void compareWithReference(const Shape &shape, unsigned pairs,
                            std::uint64_t seed) {
    compareWith("the reference", shape, pairs, seed, [](const Question &q) {
      constexpr std::uint64_t steps = 1 << 17;
      return checkByReference(q.source, q.target, q.semantics, false, steps);
    });
  }
  void compareWithFormulas(const Shape &shape, unsigned pairs,
                           std::uint64_t seed) {
    compareWith("Z3", shape, pairs, seed, [](const Question &q) {
      SmtLimits limits;
      limits.resources = 1'000'000; // a few pairs would take most of the time
      return checkMemorySymbolically(q.source, q.target, q.semantics, false,
                                     limits);
    });
  }

  void TearDown() override {
    EXPECT_GT(taken_, asked_ / 3);
    EXPECT_GT(counts.pairs(), asked_ / 5);
    Agreement::TearDown();
  }

private:
  void compareWith(std::string_view name, const Shape &shape, unsigned pairs,
                   std::uint64_t seed, const Other &other) {
    corpus::Random random(seeded(seed));
    Generator generator(random, shape);
    const Ask ask = [&](const Question &question) -> Opinions {
      using Word = MemorySliced::Result::Word;
      const MemorySliced::Result planes = engine_.check(
          question.source, question.target, question.semantics, FullBytes::no);
      if (planes.word == Word::cannot)
        return {};
      ++taken_;
      const Verdict verdict = other(question);
      if (!isDecided(verdict))
        return {};
      const bool isWrong = planes.word == Word::wrong;
      if (isWrong == (verdict.word == VerdictWord::wrong) &&
          (!isWrong || planes.kind == verdict.kind))
        return {Opinions::Word::agree, verdict, {}};
      return {Opinions::Word::disagree, verdict,
              fmt::format("planes say {}, {} {}",
                          isWrong ? toString(planes.kind) : "refines", name,
                          headline(verdict))};
    };
    for (unsigned i = 0; i < pairs && !HasFatalFailure(); ++i) {
      Question question;
      question.source = generator.program();
      question.target = generator.edited(question.source);
      if (generator.below(2) == 0)
        question.target = generator.edited(question.target);
      if (shape.attributes) {
        // Of both, or of the target alone.
        if (generator.below(2) == 0)
          generator.addAttributes(question.source);
        question.target.signature = question.source.signature;
        if (generator.below(2) == 0)
          generator.addAttributes(question.target);
      }
      if (corpus::verify(question.source) || corpus::verify(question.target))
        continue;
      if (generator.below(3) == 0)
        question.semantics = randomSemantics(random, {8});
      compare(question, ask);
    }
    asked_ += pairs;
    // Some that planes decide are too much for the other.
    counts.expectBalance(2);
  }

  MemorySliced engine_{bitsliced::kernels().back()};
  unsigned asked_ = 0;
  unsigned taken_ =
      0; ///< of the others some knob, or a set that is computed with
};

/// `select i1 %a, i8 T, i8 F` behind a local that nothing looks at.
Program
selectOf(const std::function<std::pair<Operand, Operand>(Operand)> &arms) {
  Program made;
  made.signature.returnType = i8;
  const Operand bit = made.addParameter(i1);
  const auto [then, otherwise] = arms(made.addParameter(i8));
  Instruction local;
  local.opcode = Opcode::alloca_;
  local.type = Type::pointer();
  local.accessedType = i8;
  made.append(local, std::array{Operand::constant(i64, 1)});
  made.append(Opcode::ret, Type(),
              {made.append(Opcode::select, i8, {bit, then, otherwise})});
  return made;
}

// LangRef, undef values: each use may see another number.
TEST(MemoryPlanesAlone, ASelectPassesUndefOn) {
  using Word = MemorySliced::Result::Word;
  MemorySliced engine(bitsliced::kernels().back());
  const auto check = [&](const Program &source, const Program &target) {
    return engine.check(source, target, *parseSemantics("llvm"), FullBytes::no)
        .word;
  };
  const Operand undef = Operand::undef(i8);
  const Operand five = Operand::constant(i8, 5);
  const Program then = selectOf([&](Operand b) { return std::pair(undef, b); });
  const Program otherwise =
      selectOf([&](Operand b) { return std::pair(b, undef); });
  const Program both =
      selectOf([&](Operand) { return std::pair(undef, undef); });
  const Program thenFive =
      selectOf([&](Operand b) { return std::pair(five, b); });
  const Program otherwiseFive =
      selectOf([&](Operand b) { return std::pair(b, five); });
  const Program numbers = selectOf(
      [&](Operand) { return std::pair(five, Operand::constant(i8, 6)); });
  EXPECT_EQ(check(then, thenFive), Word::refines);
  EXPECT_EQ(check(thenFive, then), Word::wrong);
  EXPECT_EQ(check(then, otherwiseFive), Word::wrong);
  EXPECT_EQ(check(otherwise, otherwiseFive), Word::refines);
  EXPECT_EQ(check(otherwise, thenFive), Word::wrong);
  EXPECT_EQ(check(then, otherwise), Word::wrong);
  EXPECT_EQ(check(both, numbers), Word::refines);
  EXPECT_EQ(check(both, then), Word::wrong) << "%b may be poison";
  EXPECT_EQ(check(then, both), Word::wrong);
}

TEST_F(MemoryPlanes, AsReferenceInLocals) {
  compareWithReference({0, false, false}, scaled(400), 8);
  compareWithReference({0, true, true}, scaled(200), 9);
}
TEST_F(MemoryPlanes, AsReferenceBehindOnePointer) {
  compareWithReference({1, false, false}, scaled(400), 1);
}
TEST_F(MemoryPlanes, AsReferenceWithBranches) {
  compareWithReference({1, true, false}, scaled(300), 2);
}
TEST_F(MemoryPlanes, AsReferenceBehindTwoPointers) {
  compareWithReference({2, false, false}, scaled(300), 3);
}
TEST_F(MemoryPlanes, AsReferenceBehindTwoPointersWithBranches) {
  compareWithReference({2, true, false}, scaled(150), 4);
}
TEST_F(MemoryPlanes, AsReferenceWithAttributes) {
  compareWithReference({1, false, false, true}, scaled(300), 10);
  compareWithReference({1, true, false, true}, scaled(200), 11);
  compareWithReference({2, false, false, true}, scaled(150), 12);
  compareWithReference({2, true, true, true}, scaled(50), 13);
}
TEST_F(MemoryPlanes, AsReferenceInTwoBytes) {
  compareWithReference({1, false, true}, scaled(200), 5);
  compareWithReference({1, true, true}, scaled(100), 6);
}
TEST_F(MemoryPlanes, AsReferenceInTwoBytesBehindTwoPointers) {
  compareWithReference({2, false, true}, scaled(50), 7);
}
TEST_F(MemoryPlanes, AsFormulas) {
  compareWithFormulas({0, true, true}, scaled(100), 21);
  compareWithFormulas({2, true, false}, scaled(100), 23);
  compareWithFormulas({1, true, true, true}, scaled(100), 24);
}

} // namespace
} // namespace checker
