// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One LLVM release in-process against that release's own `opt`, its parser, its
// verifier, and facts from LangRef and LLVM's issue tracker. Built once per
// release.
#include "corpus/program/library.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"
#include "corpus/system/process.h"
#include "corpus/system/temporary_folder.h"
#include "enumerate/space.h"
#include "runner/llvm/crash.h"
#include "runner/llvm/lift.h"
#include "runner/llvm/llvm_backend.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/lower.h"
#include "runner/llvm/release.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <llvm/Analysis/TargetLibraryInfo.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>
#include <sstream>
#include <sys/mman.h>
#include <thread>

namespace runner {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Type i1 = Type::integer(1);
const Type i4 = Type::integer(4);

std::vector<Program> sample(const std::string &spec, std::uint64_t count) {
  const auto space = enumerate::parseSpace(spec);
  EXPECT_TRUE(space) << spec;
  std::vector<Program> programs;
  for (const corpus::Rank rank :
       enumerate::sampleRanks((*space)->count(), count, 1))
    programs.push_back((*space)->at(rank));
  return programs;
}

/// Those that this release can express.
std::vector<Program> randomPrograms(std::size_t count, bool memory = false) {
  corpus::Random random(release::number);
  corpus::RandomOptions options;
  options.memory = memory;
  options.widths = {1, 2, 4, 8, 16, 33, 64};
  options.lanes = {1, 2, 3, 5};
  options.maximumArguments = 4;
  options.instructions = 6;
  options.maximumBlocks = 4;
  options.loops = options.calls = true;
  options.undefAndPoison = options.attributes = true;
  std::vector<Program> programs;
  while (programs.size() < count) {
    Program program = corpus::randomProgram(random, options);
    const auto problem = corpus::verify(program);
    EXPECT_FALSE(problem) << *problem << "\n" << printModule(program);
    if (!lackOf(program))
      programs.push_back(std::move(program));
  }
  return programs;
}

std::string printAll(std::span<const Program> programs) {
  std::set<std::string> declarations;
  std::string functions;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    for (std::string &line : printDeclarations(programs[i], release::number))
      declarations.insert(std::move(line));
    functions +=
        printFunction(programs[i], fmt::format("f{}", i), release::number);
  }
  return fmt::format("{}\n{}", fmt::join(declarations, "\n"), functions);
}

std::vector<corpus::ReadFunction>
readText(const std::string &text,
         corpus::Reading reading = corpus::Reading::exactly) {
  const corpus::TemporaryFolder folder;
  const std::string file = folder.write("f.ll", text);
  LlvmBackend backend;
  auto functions = backend.read(file, reading);
  EXPECT_TRUE(functions) << functions.error().message;
  return functions ? *functions : std::vector<corpus::ReadFunction>();
}

Program parse(const std::string &text) {
  const auto functions = readText(text);
  const auto *program = std::get_if<Program>(&functions.at(0).body);
  EXPECT_TRUE(program)
      << std::get<corpus::Unsupported>(functions[0].body).reason;
  return program ? *program : Program();
}

std::string reasonOf(const std::string &text) {
  const auto functions = readText(text);
  const auto *unsupported =
      std::get_if<corpus::Unsupported>(&functions.at(0).body);
  return unsupported ? unsupported->reason : "lifted";
}

Pipeline passes(std::string text) { return {std::move(text), "", "", {}}; }

std::vector<Output> optimize(std::span<const Program> programs,
                             const std::string &pipeline,
                             std::uint64_t *crashes = nullptr) {
  std::vector<std::uint64_t> positions(programs.size());
  std::iota(positions.begin(), positions.end(), 1000);
  LlvmOptimizer optimizer(passes(pipeline), WatchPasses::no);
  Slot slot;
  std::vector<Output> outputs;
  optimizer.optimize(programs, positions, slot, outputs);
  EXPECT_EQ(slot.position, Slot::idle);
  if (crashes)
    *crashes = optimizer.recoveredCrashes();
  return outputs;
}

Output optimizeOne(const Program &program, const std::string &pipeline) {
  return optimize({&program, 1}, pipeline).at(0);
}

/// What the release's own opt makes of the programs, read back; nothing when it
/// fails.
std::optional<std::vector<corpus::ReadFunction>>
runOpt(std::span<const Program> programs, const std::string &pipeline) {
  const corpus::ProcessEnd end = corpus::runProcess(
      {IRSIEVE_OPT, "-S",
       "-passes=" + *spellForRelease(pipeline, release::number, false)},
      printAll(programs), {});
  if (!end.isGood())
    return std::nullopt;
  const corpus::TemporaryFolder folder;
  LlvmBackend backend;
  auto functions = backend.read(folder.write("output.ll", end.out),
                                corpus::Reading::exactly);
  EXPECT_TRUE(functions) << functions.error().message;
  return *functions;
}

// --- Lowering and lifting

void expectRoundTrip(std::span<const Program> programs) {
  llvm::LLVMContext context;
  llvm::Module module("test", context);
  Lowerer lowerer(context);
  lowerer.start(module);
  Lifter lifter;
  Program lifted;
  for (const Program &program : programs) {
    ASSERT_FALSE(lowerer.conflicts(program));
    llvm::Function &function = lowerer.lower(program, "f");
    const auto message = verifyIr(function);
    ASSERT_FALSE(message) << *message << "\n" << printModule(program);
    const auto reason = lifter.lift(function, lifted);
    ASSERT_FALSE(reason) << *reason << "\n" << printModule(program);
    ASSERT_EQ(lifted, program) << printModule(program) << "\ncame back as\n"
                               << printModule(lifted);
    function.eraseFromParent();
  }
}

TEST(RoundTrip, everyMemberOfSmallSpaces) {
  expectRoundTrip(sample("i1x1", 1000));
  expectRoundTrip(sample("i2x1", 1000));
  expectRoundTrip(sample("i4x1", 10000));
  expectRoundTrip(
      sample("v2i2x1:shuffle,insert,index,bitcast,reduce,poison", 4000));
}

TEST(RoundTrip, samplesOfLargeSpaces) {
  expectRoundTrip(sample("i1x2", 20000));
  expectRoundTrip(sample("i2x3", 20000));
}

TEST(RoundTrip, everythingAProgramCanHold) {
  expectRoundTrip(randomPrograms(20000));
  expectRoundTrip(randomPrograms(20000, /*memory=*/true));
}

struct NamedRow {
  std::string_view name;
  std::string_view types;
};
constexpr NamedRow namedRows[] = {
#define NAMED(name, types) {name, types},
#include "corpus/program/library.def"
};

/// A function that calls it.
Program callOf(const NamedRow &row) {
  const auto typeOf = [](char letter) {
    switch (letter) {
    case 'v':
      return Type();
    case 'p':
      return Type::pointer();
    case 'b':
      return Type::integer(8);
    case 'h':
      return Type::integer(16);
    case 'i':
      return Type::integer(32);
    default:
      return Type::integer(64);
    }
  };
  Program program;
  corpus::Callee callee{std::string(row.name), {}};
  callee.signature.returnType = typeOf(row.types[0]);
  std::vector<Operand> operands;
  for (const char letter : row.types.substr(1)) {
    if (letter == '.')
      continue;
    callee.signature.parameters.push_back({typeOf(letter), {}});
    operands.push_back(program.addParameter(typeOf(letter)));
  }
  program.callees.push_back(callee);
  program.append(Opcode::call, callee.signature.returnType, operands);
  program.append(Opcode::ret, Type(), std::span<const Operand>());
  return program;
}

/// LLVM knows them by these types, and sees them as itself.
TEST(RoundTrip, libraryFunctions) {
  llvm::LLVMContext context;
  const llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  Lowerer lowerer(context);
  for (const NamedRow &row : namedRows) {
    const bool isVariadic = row.types.back() == '.';
    Program program = callOf(row);
    EXPECT_EQ(corpus::libraryFunctionOf(program.callees[0]), nullptr);
    EXPECT_EQ(corpus::unknownLibraryFunction(program.callees[0]), row.name);
    expectRoundTrip({&program, 1});
    llvm::Module module("test", context);
    lowerer.start(module);
    const llvm::Function &function = lowerer.lower(program, "f");
    const auto &call =
        llvm::cast<llvm::CallInst>(function.getEntryBlock().front());
    EXPECT_FALSE(call.isNoBuiltin()) << row.name;
    // A variadic one has its types in its name. Others may be young.
    llvm::LibFunc found{};
    if (release::number == 22 && !isVariadic) {
      EXPECT_TRUE(library.getLibFunc(*call.getCalledFunction(), found))
          << row.name;
    }
    program.callees[0].signature.parameters.push_back({i4, {}});
    EXPECT_EQ(corpus::unknownLibraryFunction(program.callees[0]).empty(),
              !isVariadic);
  }
}

/// The printer, LLVM's parser and the lifter agree.
TEST(RoundTrip, text) {
  auto programs = randomPrograms(3000);
  // The text has `ptr`.
  if (!release::hasTypedPointers)
    for (Program &program : randomPrograms(3000, /*memory=*/true))
      programs.push_back(std::move(program));
  const auto functions = readText(printAll(programs));
  ASSERT_EQ(functions.size(), programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    EXPECT_EQ(functions[i].name, fmt::format("f{}", i));
    ASSERT_TRUE(std::holds_alternative<Program>(functions[i].body))
        << std::get<corpus::Unsupported>(functions[i].body).reason << "\n"
        << printModule(programs[i], "f", release::number);
    ASSERT_EQ(std::get<Program>(functions[i].body), programs[i])
        << printModule(programs[i]);
  }
}

/// What is argued about memory: every function of it is read, and comes back.
TEST(RoundTrip, knownPairsOfMemory) {
  if (release::number < 22)
    GTEST_SKIP() << "spelled as LLVM 22 does";
  LlvmBackend backend;
  std::vector<Program> programs;
  std::size_t vectors = 0;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator("corpus/known/memory")) {
    if (entry.path().extension() != ".ll")
      continue;
    const auto functions =
        backend.read(entry.path().string(), corpus::Reading::exactly);
    ASSERT_TRUE(functions) << functions.error().message;
    for (const corpus::ReadFunction &function : *functions) {
      const auto *lack = std::get_if<corpus::Unsupported>(&function.body);
      if (lack != nullptr) {
        ++vectors;
        EXPECT_TRUE(entry.path().string().find("vector") != std::string::npos)
            << entry.path() << ": " << lack->reason;
        continue;
      }
      const Program &program = std::get<Program>(function.body);
      EXPECT_EQ(corpus::verify(program), std::nullopt) << entry.path();
      EXPECT_EQ(parse(printModule(program)), program) << entry.path();
      // Modules of their own: callees of one name differ.
      if (!program.bigEndian)
        expectRoundTrip({&program, 1});
      programs.push_back(program);
    }
  }
  EXPECT_GE(programs.size(), 240U);
  EXPECT_LE(vectors, 4U);
}

/// Release notes of LLVM 18, 19 and 20.
TEST(Lower, refusesByNameWhatTheReleaseLacks) {
  struct Case {
    unsigned since;
    const char *name;
    Program program;
  };
  std::vector<Case> cases;
  const auto add = [&](unsigned since, const char *name, Opcode opcode,
                       Type type, Type operand, unsigned operands,
                       corpus::Flags flags) {
    Program program;
    program.signature.returnType = type;
    const Operand a = program.addParameter(operand);
    const std::vector<Operand> values(operands, a);
    const Operand result = program.append(opcode, type, values, flags);
    program.append(Opcode::ret, Type(), {result});
    cases.push_back({since, name, program});
  };
  add(18, "`disjoint` on or", Opcode::or_, i4, i4, 2, corpus::flag::disjoint);
  add(18, "`nneg` on zext", Opcode::zext, i4, i1, 1, corpus::flag::nneg);
  add(19, "`nuw` on trunc", Opcode::trunc, i1, i4, 1, corpus::flag::nuw);
  add(19, "`llvm.scmp`", Opcode::scmp, i4, i4, 2, {});
  add(20, "`samesign` on icmp", Opcode::icmp, i1, i4, 2,
      corpus::flag::samesign);
  add(19, "attribute `range`", Opcode::add, i4, i4, 2, {});
  cases.back().program.signature.result = {corpus::attribute::range, 1, 3};
  for (const Case &each : cases) {
    const Output output = optimizeOne(each.program, "no-op-function");
    if (release::number >= each.since) {
      EXPECT_EQ(output.status, Output::Status::ok) << each.name;
      EXPECT_EQ(output.program, each.program) << each.name;
    } else {
      EXPECT_EQ(output.status, Output::Status::unsupported) << each.name;
      EXPECT_EQ(output.detail,
                fmt::format("LLVM {} has no {}", release::number, each.name));
    }
  }
}

TEST(Lift, namesWhatAProgramCannotHold) {
  // 13 and 14 spell pointers with their pointee.
  const std::string pointer = release::number >= 15 ? "ptr" : "i8*";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"define float @f(float %a) { ret float %a }",
       "float is not an integer type"},
      {"define void @f(<vscale x 2 x i4> %a) { ret void }",
       "a scalable vector"},
      {"define i65 @f(i65 %a) { ret i65 %a }", "integer wider than 64 bits"},
      {fmt::format("define i8 @f({} %p) {{ ret i8 0 }}", pointer), "lifted"},
      {"define i8 @f() { %p = alloca i8\n %v = load volatile i8, " + pointer +
           " %p\n ret i8 %v }",
       "volatile load"},
      {"declare void @g()\ndefine void @f(i4 %b) { call void @g() [ "
       "\"x\"(i4 %b) ]\n ret void }",
       "operand bundle"},
      {"declare i4 @g() speculatable\n"
       "define i4 @f() { %v = call i4 @g()\n ret i4 %v }",
       "attribute speculatable"},
      {"define i4 @f(i4 returned %a) { ret i4 %a }", "lifted"},
      {"define i4 @f(i4 returned %a) { ret i4 0 }", "attribute returned"},
      {"declare i4 @g(i4 returned)\ndefine i4 @f() { %v = call i4 @g(i4 0)\n "
       "ret i4 %v }",
       "attribute returned"},
      {"define i4 @f(i4 %a) \"strange\"=\"yes\" { ret i4 %a }",
       "attribute \"strange\"=\"yes\""},
      {"declare i4 @g(...)\ndefine i4 @f() { %v = call i4 (...) @g()\n ret i4 "
       "%v }",
       "lifted"},
      {"define i4 @f(...) { ret i4 0 }", "variadic function"},
      {"define i4 @g() { ret i4 0 }\n", "lifted"},
      {"declare i4 @g()\ndefine i4 @f() { %v = musttail call i4 @g()\n "
       "ret i4 %v }",
       "musttail call"},
      {"declare i32 @abs(i32)\ndefine i32 @f() { %v = call i32 @abs(i32 1)\n "
       "ret i32 %v }",
       "lifted"},
      {"declare i32 @abs(i32)\ndefine i32 @f() { %v = call i32 @abs(i32 1) "
       "nobuiltin\n ret i32 %v }",
       "call of @abs, which is not built in"},
      {"declare i32 @fork()\ndefine i32 @f() { %v = call i32 @fork()\n "
       "ret i32 %v }",
       "call of the library function @fork"},
      {"declare double @sqrt(double)\ndefine void @f() { %v = call double "
       "@sqrt(double 1.0)\n ret void }",
       "double is not an integer type"},
      // Before 16 any integer type makes it the library's.
      {"declare i4 @abs(i4)\ndefine i4 @f() { %v = call i4 @abs(i4 1)\n "
       "ret i4 %v }",
       release::number < 16 ? "call of the library function @abs" : "lifted"},
      {"declare i4 @abs()\ndefine i4 @f() { %v = call i4 @abs()\n ret i4 %v }",
       "lifted"},
      {"declare i1 @llvm.is.constant.i1(i1)\ndefine i1 @f(i1 %a) { %v = call "
       "i1 @llvm.is.constant.i1(i1 %a)\n ret i1 %v }",
       "llvm.is.constant.i1"},
      {"define i4 @f({ i4, i1, i1 } %a) { ret i4 0 }",
       "{ i4, i1, i1 } is not an integer type"},
      {"define void @f() { br label %l\nl: br label %l, !llvm.loop !0 }\n!0 = "
       "distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}",
       "metadata !llvm.loop on br"},
      {"declare i4 @g()\ndefine i4 @f() { %v = call i4 @g(), !strange !0\n "
       "ret i4 %v }\n!0 = !{}",
       "metadata !strange on call"},
      {"declare i4 @g()\ndefine i4 @f() { %v = call i4 @g(), !range !0\n "
       "ret i4 %v }\n!0 = !{i4 0, i4 2, i4 4, i4 6}",
       "metadata !range on call"},
  };
  for (const auto &[text, reason] : cases)
    EXPECT_EQ(reasonOf(text), reason) << text;
}

TEST(Lift, namesWhatItDoesNotTakeOfMemory) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const std::vector<std::pair<const char *, const char *>> cases = {
      {"define void @f(ptr %p) {\n store volatile i8 0, ptr %p\n ret void }",
       "volatile store"},
      {"define void @f(ptr %p) {\n store atomic i8 0, ptr %p unordered, align "
       "1\n ret void }",
       "atomic store"},
      {"define i8 @f(ptr %p) {\n %v = load atomic i8, ptr %p unordered, align "
       "1\n ret i8 %v }",
       "atomic load"},
      {"define void @f(ptr %p) {\n fence seq_cst\n ret void }", "fence"},
      {"define void @f(ptr addrspace(1) %p) {\n ret void }",
       "a pointer of another address space"},
      {"define void @f(i32 %n) {\n %a = alloca i8, i32 %n\n ret void }",
       "dynamic alloca"},
      {"define void @f() {\n br label %b\nb: %a = alloca i8\n ret void }",
       "dynamic alloca"},
      {"define void @f() {\n %a = alloca [4294967296 x i8]\n ret void }",
       "alloca of 4 GiB or more"},
      {"define void @f() {\n %a = alloca [4 x [4611686018427387904 x i8]]\n "
       "ret "
       "void }",
       "alloca of 4 GiB or more"},
      {"define i8 @f(ptr %p) {\n %v = load i8, ptr %p, align 4294967296\n "
       "ret i8 %v }",
       "an alignment of 4 GiB"},
      {"define void @f() {\n %a = alloca i8, align 4294967296\n ret void }",
       "an alignment of 4 GiB"},
      {"define void @f(ptr byval(i8) %p) {\n ret void }",
       "attribute byval(i8)"},
      {"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndefine void @f(ptr "
       "%p) {\n call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 1, i1 true)\n "
       "ret void }",
       "volatile llvm.memset"},
      {"define i8 @f(ptr %p) {\n %v = load i8, ptr %p, !tbaa !0\n ret i8 %v }\n"
       "!0 = !{!1, !1, i64 0}\n!1 = !{!\"char\", !2}\n!2 = !{!\"root\"}",
       "metadata !tbaa on load"},
      {"@g = thread_local global i8 0\ndefine i8 @f() {\n %v = load i8, ptr "
       "@g\n ret i8 %v }",
       "a thread local variable"},
      {"@g = extern_weak global i8\ndefine i8 @f() {\n %v = load i8, ptr "
       "@g\n ret i8 %v }",
       "a global variable that may be absent"},
      {"declare void @h()\ndefine void @f(ptr %p) {\n store ptr @h, ptr %p\n "
       "ret "
       "void }",
       "the address of a function"},
      {"target datalayout = \"p:32:32\"\ndefine void @f(ptr %p) {\n ret void }",
       "data layout with pointers of 32 bits"},
  };
  for (const auto &[text, reason] : cases)
    EXPECT_EQ(reasonOf(text), reason) << text;
}

/// What an optimizer does not see need not be taken, if it only promises more.
TEST(Lift, leavesOutWhatPromisesMoreAndSaysSo) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const std::string function = "define i8 @f(ptr %p) {{\n %v = load i8, ptr "
                               "%p{}\n call void @g()\n ret i8 "
                               "%v }}\n{}{}";
  const std::string tbaa = "!0 = !{!1, !1, i64 0}\n!1 = !{!\"char\", !2}\n!2 = "
                           "!{!\"root\"}\n";
  const std::string declaration = "declare void @g()\n";
  const auto read =
      readText("target datalayout = \"E-p:32:32\"\n" +
                   fmt::format(fmt::runtime(function), ", !tbaa !0",
                               "define void @g() { ret void }\n", tbaa),
               corpus::Reading::toRun);
  ASSERT_TRUE(std::holds_alternative<Program>(read.at(0).body))
      << std::get<corpus::Unsupported>(read[0].body).reason;
  EXPECT_EQ(std::get<Program>(read[0].body),
            parse(fmt::format(fmt::runtime(function), "", declaration, "")));
  EXPECT_EQ(read[0].leftOut, (std::vector<std::string>{
                                 "data layout with pointers of 32 bits",
                                 "metadata !tbaa", "the body of a callee",
                                 "a data layout with the highest byte first"}));
  EXPECT_TRUE(read.at(1).leftOut.empty());
}

/// It is read, to run, as that program, without these; and else not, for that
/// reason.
void expectReadAs(const std::string &text, const std::string &program,
                  const std::vector<std::string> &leftOut,
                  const std::string &reason) {
  const auto read = readText(text, corpus::Reading::toRun);
  ASSERT_TRUE(std::holds_alternative<Program>(read.at(0).body))
      << std::get<corpus::Unsupported>(read[0].body).reason;
  EXPECT_EQ(std::get<Program>(read[0].body), parse(program));
  EXPECT_EQ(read[0].leftOut, leftOut);
  EXPECT_EQ(reasonOf(text), reason);
}

TEST(Lift, takesOneAddressSpaceForAll) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  expectReadAs("@g = addrspace(3) global i8 0\n"
               "define i8 @f(ptr addrspace(1) %p) {\n"
               " %q = addrspacecast ptr addrspace(1) %p to ptr\n"
               " store i8 1, ptr addrspacecast (ptr addrspace(3) @g to ptr)\n"
               " %v = load i8, ptr %q\n ret i8 %v }",
               "@g = global i8 0\n"
               "define i8 @f(ptr %p) {\n store i8 1, ptr @g\n"
               " %v = load i8, ptr %p\n ret i8 %v }",
               {"that pointers are of other address spaces"},
               "a pointer of another address space");
}

TEST(Lift, storesStructuresInParts) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const std::string type = "{ i8, { i16, [2 x i8] } }";
  expectReadAs("define i8 @f(ptr %p, i8 %x) {\n store " + type +
                   " { i8 1, { i16, [2 x i8] } { i16 2, [2 x i8] [i8 3, i8 4] "
                   "} }, ptr %p, align 8, !tbaa !0\n"
                   " %y = add i8 %x, 1\n ret i8 %y }\n"
                   "!0 = !{!1, !1, i64 0}\n!1 = !{!\"char\", !2}\n"
                   "!2 = !{!\"root\"}",
               "define i8 @f(ptr %p, i8 %x) {\n"
               " store i8 1, ptr %p, align 8\n"
               " %a = getelementptr i8, ptr %p, i64 2\n"
               " store i16 2, ptr %a, align 2\n"
               " %b = getelementptr i8, ptr %p, i64 4\n"
               " store i8 3, ptr %b, align 4\n"
               " %c = getelementptr i8, ptr %p, i64 5\n"
               " store i8 4, ptr %c, align 1\n"
               " %y = add i8 %x, 1\n ret i8 %y }",
               {"that a structure is stored at once", "metadata !tbaa"},
               type + " is not an integer type");
}

TEST(Lift, leavesOutHowStructuresArePassed) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const std::string function = "%s = type {{ i8, i16 }}\n"
                               "define void @f(ptr {}%p, ptr {}%q) {{\n"
                               " ret void }}";
  expectReadAs(
      fmt::format(fmt::runtime(function), "noalias sret(%s) ", "byval(%s) "),
      fmt::format(fmt::runtime(function), "noalias ", ""),
      {"attribute sret", "attribute byval"}, "attribute sret of a structure");
}

/// What has sizes of 32 bits is the library's beside pointers of 32 bits, and a
/// function as others are where those are left out.
TEST(Lift, takesLibraryFunctionsWithSizesOfAnotherLayout) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  for (const std::string size : {"i32", "i64"}) {
    const auto read = readText(
        fmt::format("target datalayout = \"p:32:32\"\ndeclare {0} "
                    "@strlen(ptr)\ndefine {0} @f(ptr %p) {{\n %n = call {0} "
                    "@strlen(ptr %p)\n ret {0} %n }}",
                    size),
        corpus::Reading::toRun);
    const auto *program = std::get_if<Program>(&read.at(0).body);
    ASSERT_NE(program, nullptr)
        << std::get<corpus::Unsupported>(read[0].body).reason;
    EXPECT_EQ(corpus::libraryFunctionOf(program->callees[0]) != nullptr,
              size == "i64");
  }
  EXPECT_EQ(reasonOf("target datalayout = \"p:64:64\"\ndeclare i32 "
                     "@fork()\ndefine i32 @f(ptr %p) {\n %n = call i32 "
                     "@fork()\n ret i32 %n }"),
            "call of the library function @fork");
}

/// Objects of their own, unless somebody calls one by its name too.
TEST(Lift, takesTheAddressOfAFunction) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const auto read = readText("declare void @g()\ndeclare void @h()\n"
                             "define i1 @f() {\n %c = icmp eq ptr @g, @h\n "
                             "ret i1 %c }\n"
                             "define ptr @k() {\n call void @g()\n "
                             "ret ptr @g }",
                             corpus::Reading::toRun);
  const auto *program = std::get_if<Program>(&read.at(0).body);
  ASSERT_NE(program, nullptr);
  ASSERT_EQ(program->globals.size(), 2U);
  EXPECT_TRUE(program->globals[0].isConstant);
  EXPECT_EQ(read[0].leftOut,
            std::vector<std::string>{"that a constant is a function"});
  EXPECT_EQ(std::get<corpus::Unsupported>(read.at(1).body).reason,
            "the address of a function that is called");
}

/// Offsets by hand, from LangRef's rules of layout.
TEST(Lift, countsAddressesInBytes) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const auto lifted = [](const std::string &step) {
    const Program program =
        parse("@g = global [4 x i32] zeroinitializer\n"
              "define ptr @f(ptr %p, i64 %i, i8 %j) {\n %q = " +
              step + "\n ret ptr %q }");
    EXPECT_EQ(corpus::verify(program), std::nullopt) << step;
    return corpus::printInstruction(program, 0);
  };
  const std::string gep = "%v0 = getelementptr ";
  EXPECT_EQ(lifted("getelementptr { i8, i32 }, ptr %p, i64 1, i32 1"),
            gep + "i8, ptr %a, i64 12");
  EXPECT_EQ(lifted("getelementptr inbounds [4 x i32], ptr %p, i64 0, i64 %i"),
            gep + "inbounds i32, ptr %a, i64 %b");
  EXPECT_EQ(lifted("getelementptr { i8, [2 x i16] }, ptr %p, i64 %i, i32 1, i8 "
                   "%j"),
            gep + "[3 x [1 x i16]], ptr %a, i64 %b, i64 1, i8 %c");
  EXPECT_EQ(lifted("getelementptr inbounds i16, ptr %p, i64 -1"),
            gep + "inbounds i16, ptr %a, i64 -1");
  EXPECT_EQ(lifted("getelementptr i16, ptr %p, i64 -1"),
            gep + "i8, ptr %a, i64 -2");
  EXPECT_EQ(lifted("getelementptr inbounds i8, ptr %p, i64 0"),
            gep + "inbounds i8, ptr %a, i64 0");
  // 2^62 of 8 bytes wrap.
  EXPECT_EQ(lifted("getelementptr i64, ptr %p, i64 4611686018427387904"),
            gep + "i8, ptr %a, i64 0");
  EXPECT_EQ(lifted("freeze ptr getelementptr (i32, ptr @g, i64 2)"),
            gep + "i8, ptr @g, i64 8");
}

TEST(Lift, byteOrderIsOfWhatIsInMemory) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const std::string layout = "target datalayout = \"E\"\n";
  const std::string load =
      "define i16 @f(ptr %p) {\n %v = load i16, ptr %p\n ret i16 %v }";
  EXPECT_TRUE(parse(layout + load).bigEndian);
  EXPECT_FALSE(parse(load).bigEndian);
  const std::string add = "define i8 @f(i8 %a) {\n ret i8 %a }";
  EXPECT_EQ(parse(layout + add), parse(add));
}

TEST(Lift, promisesAboutMemoryMeanNothingWithoutPointers) {
  EXPECT_EQ(
      parse("declare void @g() nofree\ndefine void @f() nofree "
            "null_pointer_is_valid {\n tail call void @g() nofree\n ret "
            "void }"),
      parse("declare void @g()\ndefine void @f() {\n call void @g()\n ret "
            "void }"));
}

TEST(Lift, ignoresWhatCannotMatter) {
  EXPECT_EQ(
      parse("define internal fastcc zeroext i4 @f(i4 signext %a) nosync nofree "
            "norecurse uwtable \"frame-pointer\"=\"all\" !prof !0 {\n"
            "  br i1 true, label %x, label %y, !prof !1\n"
            "x: br label %x, !llvm.loop !2\n"
            "y: ret i4 %a }\n"
            "!0 = !{!\"function_entry_count\", i64 1}\n"
            "!1 = !{!\"branch_weights\", i32 1, i32 2}\n"
            "!2 = distinct !{!2, !3}\n"
            "!3 = !{!\"llvm.loop.unroll.disable\"}\n"),
      parse("define i4 @f(i4 %a) {\n"
            "  br i1 true, label %x, label %y\n"
            "x: br label %x\n"
            "y: ret i4 %a }\n"));
}

TEST(Lift, takesFreezeOfAnOverflowPair) {
  const Program program =
      parse("declare { i4, i1 } @llvm.sadd.with.overflow.i4(i4, i4)\n"
            "define i1 @f(i4 %a, i4 %b) {\n"
            "  %p = call { i4, i1 } @llvm.sadd.with.overflow.i4(i4 %a, i4 %b)\n"
            "  %q = freeze { i4, i1 } %p\n"
            "  %o = extractvalue { i4, i1 } %q, 1\n"
            "  ret i1 %o }\n");
  EXPECT_EQ(corpus::verify(program), std::nullopt);
  EXPECT_EQ(corpus::printInstruction(program, 1),
            "%v1 = freeze { i4, i1 } %v0");
}

/// A flag of an LLVM that is newer than our tables.
TEST(Lift, unknownFlagsAreUnsupported) {
  struct Marked : llvm::FreezeInst {
    explicit Marked(llvm::Value *value) : llvm::FreezeInst(value) {
      SubclassOptionalData = 1;
    }
  };
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  llvm::Type *i4 = llvm::IntegerType::get(context, 4);
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(i4, {i4}, false),
                             llvm::Function::ExternalLinkage, "f", module);
  auto *block = llvm::BasicBlock::Create(context, "", function);
  llvm::Instruction *frozen = new Marked(function->getArg(0));
  release::append(*block, frozen);
  release::append(*block, llvm::ReturnInst::Create(context, frozen));
  Program program;
  EXPECT_EQ(Lifter().lift(*function, program), "an unknown flag on freeze");
}

TEST(Lift, dropsUnreachableBlocks) {
  EXPECT_EQ(parse("define i4 @f(i4 %a, i1 %c) {\n"
                  "  br i1 %c, label %x, label %y\n"
                  "dead: %d = add i4 %a, 1\n br label %y\n"
                  "x: br label %y\n"
                  "y: %p = phi i4 [ 1, %0 ], [ %d, %dead ], [ %a, %x ]\n"
                  "  ret i4 %p }\n"),
            parse("define i4 @f(i4 %a, i1 %c) {\n"
                  "  br i1 %c, label %x, label %y\n"
                  "x: br label %y\n"
                  "y: %p = phi i4 [ 1, %0 ], [ %a, %x ]\n"
                  "  ret i4 %p }\n"));
}

/// LangRef: `!range` on a call means what the return attribute means.
TEST(Lift, rangeMetadataIsTheAttribute) {
  const Program program =
      parse("declare i4 @g()\ndefine i4 @f() { %v = call i4 @g(), !range !0\n "
            "ret i4 %v }\n!0 = !{i4 -2, i4 3}");
  ASSERT_EQ(program.callAttributes.size(), 1U);
  EXPECT_EQ(program.callAttributes[0].result,
            (corpus::Attributes{corpus::attribute::range, 14, 3}));
}

TEST(Lift, blocksOutOfDominanceOrder) {
  const Program program = parse("define i4 @f(i4 %a) {\n"
                                "  br label %second\n"
                                "first: ret i4 %v\n"
                                "second: %v = add i4 %a, 1\n"
                                "  br label %first }\n");
  EXPECT_EQ(corpus::verify(program), std::nullopt);
  expectRoundTrip({&program, 1});
}

// --- Reading

TEST(Read, errorsAreOneLine) {
  LlvmBackend backend;
  const auto message = [&](const std::string &text) {
    const corpus::TemporaryFolder folder;
    const std::string file = folder.write("f.ll", text);
    const auto result = backend.read(file, corpus::Reading::exactly);
    EXPECT_FALSE(result) << text;
    std::string found = result ? "" : result.error().message;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
    EXPECT_THAT(found, StartsWith(file));
    return found.substr(std::min(file.size(), found.size()));
  };
  EXPECT_EQ(message("define i4 @f() {\n  ret i4 nonsense\n}\n"),
            ":2:10: error: expected value token");
  EXPECT_THAT(message("What is this?"), HasSubstr(":1:1: error: "));
  EXPECT_THAT(message("define i4 @f(i4 %a) {\n"
                      "  br i1 true, label %x, label %y\n"
                      "x: %v = add i4 %a, 1\n  br label %y\n"
                      "y: ret i4 %v }\n"),
              HasSubstr("Instruction does not dominate all uses!"));
  const auto missing =
      backend.read("/nowhere/missing.ll", corpus::Reading::exactly);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message,
              StartsWith("/nowhere/missing.ll: error: "));
}

TEST(Read, bitcode) {
  const auto programs = sample("i2x3", 50);
  const corpus::TemporaryFolder folder;
  ASSERT_TRUE(corpus::runProcess({IRSIEVE_OPT, "-passes=no-op-module", "-o",
                                  folder.file("f.bc")},
                                 printAll(programs), {})
                  .isGood());
  LlvmBackend backend;
  const auto functions =
      backend.read(folder.file("f.bc"), corpus::Reading::exactly);
  ASSERT_TRUE(functions) << functions.error().message;
  ASSERT_EQ(functions->size(), programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i)
    EXPECT_EQ(std::get<Program>((*functions)[i].body), programs[i]);
}

// --- Pipelines

TEST(Pipeline, oneSpellingForEveryRelease) {
  const auto spell = [](const char *text, unsigned release) {
    const auto spelled = spellForRelease(text, release, false);
    return spelled ? *spelled : spelled.error().message;
  };
  for (const char *name : {"flattencfg", "flatten-cfg"}) {
    EXPECT_EQ(spell(name, 16), "flattencfg");
    EXPECT_EQ(spell(name, 19), "flatten-cfg");
  }
  EXPECT_EQ(spell("function(instcombine,gvn),instcombine", 16),
            "function(instcombine,gvn),instcombine");
  EXPECT_EQ(spell("function(instcombine,gvn),instcombine", 19),
            "function(instcombine<no-verify-fixpoint>,gvn),"
            "instcombine<no-verify-fixpoint>");
  EXPECT_EQ(spell("instcombine<max-iterations=1>,default<O2>", 22),
            "instcombine<max-iterations=1>,default<O2>");
  EXPECT_EQ(spell("function(loop-mssa(licm),aggressive-instcombine)", 22),
            "function(loop-mssa(licm),aggressive-instcombine)");
  EXPECT_THAT(spell("function(gvn),mergefunc", 22),
              HasSubstr("'mergefunc' cannot be used: it makes functions"));
  EXPECT_THAT(spell("print<domtree>", 22), HasSubstr("cannot be used"));
  EXPECT_THAT(spell("codegenprepare", 22), HasSubstr("--triple"));
}

TEST(Pipeline, errorsNameTheWord) {
  LlvmBackend backend;
  const auto message = [&](const Pipeline &pipeline) {
    const auto info = backend.describe(pipeline);
    EXPECT_FALSE(info) << pipeline.passes;
    return info ? "" : info.error().message;
  };
  EXPECT_EQ(message(passes("instcombin")),
            "unknown pass name 'instcombin'; did you mean 'instcombine'?");
  EXPECT_THAT(message(passes("function(gvn,reasociate)")),
              HasSubstr("'reasociate'; did you mean 'reassociate'?"));
  EXPECT_THAT(message(passes("gvn(")), HasSubstr("invalid pipeline 'gvn('"));
  EXPECT_NE(message({"gvn", "nonsense-triple", "", {}}), "");
  EXPECT_NE(message({"gvn", "", "nonsense", {}}), "");
  EXPECT_NE(message({"gvn", "", "", {"-another-option"}}), "");
}

TEST(Pipeline, describe) {
  LlvmBackend backend;
  const auto info = backend.describe(passes("instcombine,default<O1>"));
  EXPECT_FALSE(info) << "opt does not mix levels either";
  const auto o2 = backend.describe(passes("default<O2>"));
  ASSERT_TRUE(o2) << o2.error().message;
  EXPECT_EQ(o2->asRun, "default<O2>");
  if (release::number >= 14) {
    EXPECT_THAT(o2->expanded, HasSubstr("sroa"));
  }
  EXPECT_EQ(backend.build().release, release::number);
  EXPECT_THAT(backend.build().version,
              StartsWith(std::to_string(release::number) + "."));
}

TEST(Pipeline, targetAndDataLayout) {
  LlvmBackend backend;
  const Pipeline pipeline = {"codegenprepare", "x86_64-linux-gnu", "", {}};
  const auto info = backend.describe(pipeline);
  // Reachable from the new pass manager since 18.
  EXPECT_EQ(static_cast<bool>(info), release::number >= 18);
  const auto session = Session::make({"gvn", "x86_64-linux-gnu", "", {}});
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ((*session)->makeModule()->getDataLayoutStr().empty(),
            release::number < 17);
}

// --- Optimizing

TEST(Optimize, equalsOpt) {
  std::vector<Program> programs = sample("i2x3", 1500);
  std::vector<std::string> specs = {"i4x3", "i1x3"};
  if (release::number >= 15) // the text has `ptr`
    specs.emplace_back("i8x4:mem=a1+p1,align,consts=two");
  for (const std::string &spec : specs)
    for (Program &program : sample(spec, 750))
      programs.push_back(std::move(program));
  std::size_t crashes = 0;
  for (const char *pipeline :
       {"instcombine", "gvn", "reassociate", "sccp", "default<O2>",
        "function(instcombine,simplifycfg),globaldce"}) {
    const auto outputs = optimize(programs, pipeline);
    // Up to 14 some of them crash the compiler; opt must crash on each alone.
    std::vector<Program> sources;
    std::vector<Output> here;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (outputs[i].status == Output::Status::crash) {
        if (++crashes <= 2) {
          EXPECT_FALSE(runOpt({&programs[i], 1}, pipeline)) << pipeline;
        }
      } else {
        sources.push_back(programs[i]);
        here.push_back(outputs[i]);
      }
    }
    const auto expected = runOpt(sources, pipeline);
    ASSERT_TRUE(expected) << pipeline;
    ASSERT_EQ(expected->size(), sources.size());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      ASSERT_EQ(here[i].status, Output::Status::ok)
          << pipeline << ": " << here[i].detail << "\n"
          << here[i].text;
      const Program &there = std::get<Program>((*expected)[i].body);
      EXPECT_EQ(here[i].program, there)
          << pipeline << "\n"
          << printModule(sources[i]) << "here\n"
          << printModule(here[i].program) << "opt\n"
          << printModule(there);
      EXPECT_EQ(corpus::verify(here[i].program), std::nullopt);
      changed += here[i].program != sources[i];
    }
    EXPECT_GT(changed, 0U) << pipeline;
  }
  if (release::number >= 15) {
    EXPECT_EQ(crashes, 0U);
  }
}

TEST(Optimize, outputDoesNotDependOnTheBatch) {
  for (const char *spec :
       {"i2x3", "i2x2:blocks=3,loops,args=2",
        "i8x4:mem=a1+p2,align,gep,graph=diamond,consts=two",
        "i8x3:mem=a1+p1,lifetime,intrinsics,graph=loop,consts=two"}) {
    const auto programs = sample(spec, 300);
    // Most of what LLVM may keep from function to function is in the last one.
    for (const char *pipeline :
         {"instcombine", "default<O1>",
          "early-cse,instcombine,gvn,newgvn,simplifycfg,loop-mssa(licm),"
          "loop(indvars),correlated-propagation,dse,memcpyopt,bdce,adce,"
          "sroa,jump-threading,loop-unroll,simplifycfg,"
          "instcombine"}) {
      const auto together = optimize(programs, pipeline);
      for (std::size_t i = 0; i < programs.size(); i += 10)
        EXPECT_EQ(optimizeOne(programs[i], pipeline).program,
                  together[i].program);
    }
  }
}

/// Bytes behind one another do not alias, also when the other functions of the
/// batch have no memory.
TEST(Optimize, asksWhatAliasesWhereThereIsMemory) {
  if (release::number < 15)
    GTEST_SKIP() << "its text has no `ptr`";
  auto programs = sample("i2x2", 3);
  programs.push_back(parse("define i8 @f(ptr %p) {\n"
                           " %q = getelementptr i8, ptr %p, i64 1\n"
                           " store i8 1, ptr %p\n"
                           " store i8 2, ptr %q\n"
                           " %v = load i8, ptr %p\n"
                           " ret i8 %v\n}\n"));
  const Output output = optimize(programs, "gvn").back();
  ASSERT_EQ(output.status, Output::Status::ok) << output.detail;
  EXPECT_THAT(corpus::printFunction(output.program, "f"),
              HasSubstr("ret i8 1"));
}

/// Programs with blocks, calls and attributes: whatever comes out is accepted
/// by verify() or named.
TEST(Optimize, everythingAProgramCanHold) {
  const auto programs = randomPrograms(1000);
  for (const char *pipeline :
       {"default<O3>", "function(jump-threading,licm,indvars,newgvn)"}) {
    for (const Output &output : optimize(programs, pipeline)) {
      if (output.status == Output::Status::ok)
        EXPECT_EQ(corpus::verify(output.program), std::nullopt)
            << printModule(output.program);
      else
        EXPECT_NE(output.detail, "");
    }
  }
}

TEST(Optimize, knownResults) {
  const std::vector<std::pair<const char *, const char *>> cases = {
      {"%v = add i4 %a, 0\n ret i4 %v", "ret i4 %a"},
      {"%v = udiv i4 %a, 4\n ret i4 %v", "%v = lshr i4 %a, 2\n ret i4 %v"},
      {"%v = mul i4 %a, 0\n ret i4 %v", "ret i4 0"},
      {"%v = shl i4 %a, 4\n ret i4 %v", "ret i4 poison"},
  };
  for (const auto &[source, target] : cases) {
    const auto function = [](const char *body) {
      return fmt::format("define i4 @f(i4 %a) {{\n {}\n}}\n", body);
    };
    const Output output = optimizeOne(parse(function(source)), "instcombine");
    ASSERT_EQ(output.status, Output::Status::ok) << output.detail;
    EXPECT_EQ(output.program, parse(function(target)));
  }
}

/// What LLVM knows of a library function it uses, by its name.
TEST(Optimize, libraryFunctions) {
  if (release::hasTypedPointers)
    GTEST_SKIP() << "other spellings";
  const Output output =
      optimizeOne(parse("declare ptr @strchr(ptr, i32)\ndefine ptr @f(ptr %p) "
                        "{\n %q = call ptr @strchr(ptr %p, i32 0)\n ret ptr "
                        "%q\n}"),
                  "instcombine");
  ASSERT_EQ(output.status, Output::Status::ok) << output.detail;
  ASSERT_EQ(output.program.callees.size(), 1U);
  EXPECT_EQ(output.program.callees[0].name, "strlen");
  const Program variadic = parse(
      "declare i32 @printf(ptr, ...)\ndefine void @f(ptr %p, i32 %n) {\n call "
      "i32 (ptr, ...) @printf(ptr %p, i32 %n)\n ret void\n}");
  EXPECT_EQ(variadic.callees.at(0).name, "printf.ptr.i32");
  EXPECT_EQ(corpus::unknownLibraryFunction(variadic.callees[0]), "printf");
}

TEST(Optimize, inferredAttributesAreLifted) {
  const Output output = optimizeOne(
      parse("define i4 @f(i1 noundef %a) {\n %v = zext i1 %a to i4\n ret i4 "
            "%v\n}\n"),
      "default<O2>");
  ASSERT_EQ(output.status, Output::Status::ok) << output.detail;
  using namespace corpus::attribute;
  EXPECT_EQ(output.program.signature.function.bits,
            willreturn | nounwind | mustprogress | memoryNone);
  // LLVM 19 began to infer range (which noundef would turn into UB) and noundef
  // on what a function returns.
  EXPECT_EQ(output.program.signature.result,
            release::number >= 19 ? (corpus::Attributes{range, 0, 2})
                                  : corpus::Attributes());
  const Output same = optimizeOne(
      parse("define i4 @f(i4 noundef %a) { ret i4 %a }"), "default<O2>");
  ASSERT_EQ(same.status, Output::Status::ok) << same.detail;
  EXPECT_EQ(same.program.signature.result.bits,
            release::number >= 19 ? noundef : 0U);
}

/// Two programs that declare @g differently cannot share a module.
TEST(Optimize, calleesOfOneNameWithDifferentSignatures) {
  const std::string body =
      "define void @f() {\n call void @g()\n ret void\n}\n";
  std::vector<Program> programs = {
      parse("declare void @g()\n" + body),
      parse("declare void @g() readnone willreturn nounwind\n" + body),
      parse("declare void @g()\n" + body),
  };
  // A callee that has the name of a function of the batch.
  programs.push_back(programs[0]);
  programs.back().callees[0].name = "0";
  const auto outputs = optimize(programs, "instcombine");
  EXPECT_EQ(outputs[0].program, programs[0]);
  EXPECT_EQ(outputs[1].program.instructionCount(), 0U) << "the call is dead";
  EXPECT_EQ(outputs[2].program, programs[2]);
  EXPECT_EQ(outputs[3].program, programs[3]);
}

// --- Crashes

/// LLVM issue 56333: up to 14, correlated-propagation divides by zero on
/// `sdiv i1 %x, %y` and its relatives, 10 of the 264 functions of i1x1.
TEST(Crash, culpritsAreNamedAndTheRestIsDone) {
  const auto programs = sample("i1x1", 1000);
  ASSERT_EQ(programs.size(), 264U);
  const bool crashes = release::number <= 14;
  for (const char *pipeline : {"correlated-propagation",
                               "function(correlated-propagation),globaldce"}) {
    std::uint64_t recovered = 0;
    const auto outputs = optimize(programs, pipeline, &recovered);
    std::set<std::string> details;
    std::size_t count = 0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (outputs[i].status != Output::Status::crash) {
        EXPECT_EQ(outputs[i].status, Output::Status::ok);
        continue;
      }
      ++count;
      EXPECT_EQ(outputs[i].pass, "correlated-propagation");
      details.insert(outputs[i].detail);
      const Opcode opcode = programs[i].instructions.front().opcode;
      EXPECT_TRUE(opcode == Opcode::sdiv || opcode == Opcode::srem ||
                  opcode == Opcode::udiv || opcode == Opcode::urem);
    }
    EXPECT_EQ(count, crashes ? 10U : 0U) << pipeline;
    // The first one is seen twice: the second time with its pass.
    EXPECT_EQ(recovered, crashes ? count + 1 : 0) << pipeline;
    for (const std::string &detail : details)
      EXPECT_THAT(detail, StartsWith("SIGFPE in llvm::")) << detail;
    EXPECT_EQ(details.size(), crashes ? 1U : 0U)
        << fmt::format("{}", fmt::join(details, "\n"));
  }
}

TEST(Crash, threadsRecoverEachOnItsOwn) {
  const auto programs = sample("i1x2", 1000);
  const auto expected = optimize(programs, "correlated-propagation");
  std::vector<std::vector<Output>> results(2);
  {
    std::vector<std::jthread> threads;
    threads.reserve(results.size());
    for (auto &result : results)
      threads.emplace_back(
          [&] { result = optimize(programs, "correlated-propagation"); });
  }
  for (const auto &result : results)
    for (std::size_t i = 0; i < programs.size(); ++i) {
      EXPECT_EQ(result[i].status, expected[i].status);
      if (result[i].status == Output::Status::ok) {
        EXPECT_EQ(result[i].program, expected[i].program);
      }
    }
}

TEST(Crash, everyFunction) {
  // Before there were passes that crash on purpose, one divided by zero.
  const char *pass = release::number >= 19   ? "trigger-crash-function"
                     : release::number >= 15 ? "trigger-crash"
                                             : "correlated-propagation";
  const std::vector<Program> programs(20, parse("define i1 @f(i1 %a, i1 %b) {\n"
                                                "  %v0 = sdiv i1 %a, %b\n"
                                                "  ret i1 %v0\n}\n"));
  for (const Output &output : optimize(programs, pass)) {
    EXPECT_EQ(output.status, Output::Status::crash);
    EXPECT_EQ(output.pass, pass);
    EXPECT_THAT(output.detail, StartsWith("SIG"));
  }
}

/// A slot that the next write to it crashes on, once.
class Mine {
public:
  Mine()
      : page_(::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        slot_(new (page_) Slot) {
    current = this;
    struct sigaction handler = {};
    handler.sa_handler = [](int number) {
      ::mprotect(current->page_, size, PROT_READ | PROT_WRITE);
      current->before_.sa_handler(number);
    };
    handler.sa_flags = SA_ONSTACK;
    ::sigaction(SIGSEGV, &handler, &before_);
    ::mprotect(page_, size, PROT_READ);
  }
  Mine(const Mine &) = delete;
  Mine &operator=(const Mine &) = delete;
  ~Mine() {
    ::sigaction(SIGSEGV, &before_, nullptr);
    ::munmap(page_, size);
  }
  Slot &slot() { return *slot_; }

private:
  static constexpr std::size_t size = 4096;
  static inline Mine *current = nullptr;
  void *page_;
  Slot *slot_;
  struct sigaction before_ = {};
};

TEST(Crash, onceIsACrash) {
  const auto programs = sample("i2x1", 100);
  std::vector<std::uint64_t> positions(programs.size());
  std::iota(positions.begin(), positions.end(), 0);
  for (const char *pipeline :
       {"instcombine", "function(instcombine),globaldce"}) {
    const auto undisturbed = optimize(programs, pipeline);
    LlvmOptimizer optimizer(passes(pipeline), WatchPasses::no);
    std::vector<Output> outputs;
    Mine mine;
    optimizer.optimize(programs, positions, mine.slot(), outputs);
    EXPECT_EQ(optimizer.recoveredCrashes(), 1U);
    EXPECT_EQ(outputs.front().status, Output::Status::crash);
    EXPECT_THAT(outputs.front().detail, StartsWith("SIGSEGV"));
    EXPECT_THAT(outputs.front().detail, HasSubstr("not a second time"));
    for (std::size_t i = 1; i < programs.size(); ++i)
      EXPECT_EQ(outputs[i].program, undisturbed[i].program);
  }
}

/// Calls itself until the stack ends, for any `depth` above 0.
int exhaustStack(int depth) {
  volatile char frame[1024] = {};
  frame[depth % 1024] = 1;
  return depth == 0 ? 0 : exhaustStack(depth | 1) + frame[0];
}

TEST(Crash, fatalErrorsAndStackOverflow) {
  EXPECT_EQ(runGuarded([] {}), std::nullopt);
  EXPECT_EQ(runGuarded([] { llvm::report_fatal_error("i4 of @12\nis bad"); }),
            "fatal error: iN of @N is bad");
  volatile int zero = 0;
  EXPECT_THAT(*runGuarded([&] { zero = 1 / zero; }), StartsWith("SIGFPE"));
  EXPECT_THAT(*runGuarded([] { std::abort(); }), StartsWith("SIGABRT"));
  EXPECT_THAT(*runGuarded([] { exhaustStack(1); }), StartsWith("SIGSEGV"));
  // As `assert` calls it, in libLLVM too.
  EXPECT_THAT(
      *runGuarded([] { __assert_fail("a < b", "/llvm/A.cpp", 7, "f"); }),
      StartsWith("SIGABRT: assertion `a < b` of A.cpp"));
  EXPECT_EQ(runGuarded([] {}), std::nullopt);
}

TEST(Optimize, whatOnlyOurVerifierRejectsIsInvalid) {
  const Program program = parse("define i4 @f(i4 %a, i8 %b) {\n"
                                "  %v = freeze i4 %a\n"
                                "  ret i4 %v\n}\n");
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  Lowerer lowerer(context);
  lowerer.start(module);
  llvm::Function &function = lowerer.lower(program, "f");
  function.getEntryBlock().front().setOperand(0, function.getArg(1));
  Output output;
  Finisher().finish(function, program, output);
  EXPECT_EQ(output.status, Output::Status::invalid) << output.text;
  EXPECT_NE(output.detail, "");
}

TEST(Optimize, whatTheVerifierRejectsIsInvalid) {
  const Program program = parse("define i4 @f(i4 %a) { ret i4 %a }");
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  Lowerer lowerer(context);
  lowerer.start(module);
  llvm::Function &function = lowerer.lower(program, "f");
  // A terminator in the middle of a block.
  release::append(function.getEntryBlock(), new llvm::UnreachableInst(context));
  Output output;
  Finisher().finish(function, program, output);
  EXPECT_EQ(output.status, Output::Status::invalid) << output.text;
  EXPECT_NE(output.detail, "");
  EXPECT_NE(output.text, "");
  // Releases since 19 have a pass that does as much.
  if (release::number >= 19) {
    EXPECT_EQ(optimizeOne(program, "trigger-verifier-error").status,
              Output::Status::invalid);
  }
}

TEST(Optimize, whatTheVerifierRejectsOfBlocksIsInvalid) {
  using llvm::BasicBlock;
  using llvm::Function;
  const Program program = parse("define i8 @f(i1 %c, i8 %a) {\n"
                                "entry:\n"
                                " br i1 %c, label %left, label %right\n"
                                "left:\n"
                                " %x = add i8 %a, 1\n"
                                " br label %end\n"
                                "right:\n"
                                " %y = mul i8 %a, %a\n"
                                " br label %end\n"
                                "end:\n"
                                " %p = phi i8 [ %x, %left ], [ %y, %right ]\n"
                                " %z = xor i8 %p, %a\n"
                                " ret i8 %z\n}\n");
  const auto block = [](Function &function, int index) -> BasicBlock & {
    return *std::next(function.begin(), index);
  };
  const auto phi = [&](Function &function) {
    return llvm::cast<llvm::PHINode>(&block(function, 3).front());
  };
  const std::pair<const char *, std::function<void(Function &)>> faults[] = {
      {"nothing", [](Function &) {}},
      {"a use that is not dominated",
       [&](Function &f) {
         block(f, 2).front().setOperand(0, &block(f, 1).front());
       }},
      {"a value from the wrong edge",
       [&](Function &f) { phi(f)->setIncomingValue(0, &block(f, 2).front()); }},
      {"an edge without a value",
       [&](Function &f) { phi(f)->removeIncomingValue(0U, false); }},
      {"a value without an edge",
       [&](Function &f) { phi(f)->addIncoming(f.getArg(1), &block(f, 0)); }},
      {"a branch to the entry",
       [&](Function &f) {
         block(f, 1).getTerminator()->setSuccessor(0, &block(f, 0));
         phi(f)->removeIncomingValue(0U, false);
       }},
      {"a phi behind another instruction",
       [&](Function &f) { phi(f)->moveAfter(phi(f)->getNextNode()); }},
      {"an operand of another type",
       [&](Function &f) { block(f, 1).front().setOperand(0, f.getArg(0)); }},
  };
  for (const auto &[what, spoil] : faults) {
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    Lowerer lowerer(context);
    lowerer.start(module);
    llvm::Function &function = lowerer.lower(program, "f");
    // Else it is as the source and no more is asked.
    block(function, 1)
        .front()
        .setOperand(
            1, llvm::ConstantInt::get(block(function, 1).front().getType(), 2));
    spoil(function);
    Output output;
    Finisher().finish(function, program, output);
    EXPECT_EQ(output.status, std::string_view(what) == "nothing"
                                 ? Output::Status::ok
                                 : Output::Status::invalid)
        << what << ": " << output.detail;
  }
}

// --- Tracing

TEST(Trace, everyPassInOrder) {
  LlvmBackend backend;
  const Program program = parse("define i4 @f(i4 %a) {\n"
                                "  %v = add i4 %a, 0\n"
                                "  %w = mul i4 %v, 1\n ret i4 %w\n}\n");
  const Trace trace = backend.trace(
      program, passes("function(loop-simplify,instcombine,gvn,sccp)"));
  std::vector<std::string> names;
  std::vector<bool> changed;
  for (const Step &step : trace.steps) {
    names.push_back(step.pass);
    changed.push_back(step.changed);
  }
  EXPECT_THAT(names,
              ElementsAre("loop-simplify", "instcombine", "gvn", "sccp"));
  EXPECT_THAT(changed, ElementsAre(false, true, false, false));
  ASSERT_EQ(trace.end.status, Output::Status::ok) << trace.end.detail;
  EXPECT_EQ(trace.end.program, trace.steps[1].after);
  EXPECT_EQ(trace.end.program, parse("define i4 @f(i4 %a) { ret i4 %a }"));
  EXPECT_THAT(trace.steps[1].text, HasSubstr("ret i4"));
}

/// The last step of a trace is what optimize() gives, whatever the passes.
TEST(Trace, endsAsOptimizeDoes) {
  LlvmBackend backend;
  for (const Program &program : randomPrograms(30)) {
    const Trace trace = backend.trace(program, passes("default<O2>"));
    const Output output = optimizeOne(program, "default<O2>");
    EXPECT_EQ(trace.end.status, output.status);
    EXPECT_GT(trace.steps.size(), 20U);
    if (output.status != Output::Status::ok)
      continue;
    EXPECT_EQ(trace.end.program, output.program);
    const auto last =
        std::find_if(trace.steps.rbegin(), trace.steps.rend(),
                     [](const Step &step) { return step.changed; });
    if (last != trace.steps.rend() && last->after) {
      EXPECT_EQ(*last->after, output.program);
    }
  }
}

TEST(Trace, crash) {
  LlvmBackend backend;
  const Trace trace = backend.trace(
      parse("define i1 @f(i1 %a, i1 %b) {\n %v = sdiv i1 %a, %b\n ret i1 "
            "%v\n}\n"),
      passes("function(sccp,correlated-propagation)"));
  EXPECT_EQ(trace.steps.at(0).pass, "sccp");
  if (release::number <= 14) {
    EXPECT_EQ(trace.end.status, Output::Status::crash);
    EXPECT_EQ(trace.end.pass, "correlated-propagation");
    EXPECT_EQ(trace.steps.size(), 1U);
  } else {
    EXPECT_EQ(trace.end.status, Output::Status::ok);
  }
}

/// The last index is that of the last line that opt prints; passes that always
/// run have none.
TEST(Trace, countsPassesAsOptBisectDoes) {
  LlvmBackend backend;
  for (const Program &program : randomPrograms(5)) {
    const Trace trace = backend.trace(program, passes("default<O2>"));
    if (trace.end.status == Output::Status::crash)
      continue;
    const corpus::ProcessEnd end =
        corpus::runProcess({IRSIEVE_OPT, "-disable-output",
                            "-passes=default<O2>", "-opt-bisect-limit=-1"},
                           printAll({&program, 1}), {});
    ASSERT_TRUE(end.isGood());
    std::istringstream stream(end.err);
    unsigned index = 0;
    unsigned last = 0;
    for (std::string line; std::getline(stream, line);)
      if (std::sscanf(line.c_str(), "BISECT: running pass (%u)", &index) == 1)
        last = index;
    EXPECT_GT(last, 20U);
    unsigned counted = 0;
    for (const Step &step : trace.steps)
      counted = std::max(counted, step.index);
    EXPECT_EQ(counted, last) << printModule(program);
  }
}

TEST(Verify, isLlvms) {
  LlvmBackend backend;
  for (const Program &program : sample("i2x2", 100))
    EXPECT_EQ(backend.verify(program), std::nullopt);
}

} // namespace
} // namespace runner
