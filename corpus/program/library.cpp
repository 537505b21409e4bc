// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/library.h"

#include "corpus/program/graph.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace corpus {
namespace {

using enum LibraryAction;
constexpr std::uint8_t no = LibraryFunction::noOperand;
constexpr LibraryFunction libraryTable[] = {
    // name, types, action, family, size, count, alignment, isZeroed, mayFail
    {"malloc", "pl", allocate, HeapFamily::malloc, 0, no, no, false, true},
    {"calloc", "pll", allocate, HeapFamily::malloc, 1, 0, no, true, true},
    {"aligned_alloc", "pll", allocate, HeapFamily::malloc, 1, no, 0, false,
     true},
    {"memalign", "pll", allocate, HeapFamily::malloc, 1, no, 0, false, true},
    {"realloc", "ppl", reallocate, HeapFamily::malloc, 1, no, no, false, true},
    {"free", "vp", free, HeapFamily::malloc},
    {"_Znwm", "pl", allocate, HeapFamily::new_, 0},
    {"_Znam", "pl", allocate, HeapFamily::newArray, 0},
    {"_ZnwmRKSt9nothrow_t", "plp", allocate, HeapFamily::new_, 0, no, no, false,
     true},
    {"_ZnamRKSt9nothrow_t", "plp", allocate, HeapFamily::newArray, 0, no, no,
     false, true},
    {"_ZnwmRKSt9nothrow_t12__hot_cold_t", "plpb", allocate, HeapFamily::new_, 0,
     no, no, false, true},
    {"_ZnamRKSt9nothrow_t12__hot_cold_t", "plpb", allocate,
     HeapFamily::newArray, 0, no, no, false, true},
    {"_ZdlPv", "vp", free, HeapFamily::new_},
    {"_ZdaPv", "vp", free, HeapFamily::newArray},
    {"_ZdlPvm", "vpl", free, HeapFamily::new_},
    {"_ZdaPvm", "vpl", free, HeapFamily::newArray},
    {.name = "memcmp", .types = "ippl", .action = compare, .size = 2},
    {.name = "bcmp", .types = "ippl", .action = differ, .size = 2},
    {.name = "strcmp",
     .types = "ipp",
     .action = compare,
     .isSequential = true,
     .endsAtZero = true},
    {.name = "strncmp",
     .types = "ippl",
     .action = compare,
     .size = 2,
     .isSequential = true,
     .endsAtZero = true},
    {.name = "strlen",
     .types = "lp",
     .action = length,
     .isSequential = true,
     .endsAtZero = true},
    {.name = "strnlen",
     .types = "lpl",
     .action = length,
     .size = 1,
     .isSequential = true,
     .endsAtZero = true},
    {.name = "memchr",
     .types = "ppil",
     .action = find,
     .size = 2,
     .isSequential = true},
    {.name = "memrchr",
     .types = "ppil",
     .action = find,
     .size = 2,
     .isLast = true},
    {.name = "strchr",
     .types = "ppi",
     .action = find,
     .isSequential = true,
     .endsAtZero = true},
    {.name = "strrchr",
     .types = "ppi",
     .action = find,
     .isSequential = true,
     .endsAtZero = true,
     .isLast = true},
    {.name = "strspn", .types = "lpp", .action = span, .isSequential = true},
    {.name = "strcspn",
     .types = "lpp",
     .action = spanOthers,
     .isSequential = true},
    {.name = "strpbrk",
     .types = "ppp",
     .action = findAny,
     .isSequential = true},
    {.name = "strstr",
     .types = "ppp",
     .action = findString,
     .isSequential = true},
    {.name = "atoi", .types = "ip", .action = parse},
    {.name = "atol", .types = "lp", .action = parse},
    {.name = "atoll", .types = "lp", .action = parse},
    {.name = "strtol", .types = "lppi", .action = parse, .base = 2, .rest = 1},
    {.name = "strtoll", .types = "lppi", .action = parse, .base = 2, .rest = 1},
    {.name = "strtoul",
     .types = "lppi",
     .action = parse,
     .base = 2,
     .rest = 1,
     .isUnsigned = true},
    {.name = "strtoull",
     .types = "lppi",
     .action = parse,
     .base = 2,
     .rest = 1,
     .isUnsigned = true},
    {.name = "strcpy", .types = "ppp", .action = copy, .endsAtZero = true},
    {.name = "stpcpy",
     .types = "ppp",
     .action = copy,
     .endsAtZero = true,
     .returnsEnd = true},
    {.name = "strncpy",
     .types = "pppl",
     .action = copy,
     .size = 2,
     .endsAtZero = true,
     .isPadded = true},
    {.name = "stpncpy",
     .types = "pppl",
     .action = copy,
     .size = 2,
     .endsAtZero = true,
     .isPadded = true,
     .returnsEnd = true},
    {.name = "memccpy",
     .types = "pppil",
     .action = copy,
     .size = 3,
     .returnsEnd = true},
    {.name = "strcat", .types = "ppp", .action = append, .endsAtZero = true},
    {.name = "strlcpy", .types = "lppl", .action = copyFitting, .size = 2},
    {.name = "memcpy", .types = "pppl", .action = copyAll, .size = 2},
    {.name = "mempcpy",
     .types = "pppl",
     .action = copyAll,
     .size = 2,
     .returnsEnd = true},
    {.name = "memmove",
     .types = "pppl",
     .action = copyAll,
     .size = 2,
     .mayOverlap = true},
    {.name = "memset", .types = "ppil", .action = fill, .size = 2},
    {.name = "__memccpy_chk",
     .types = "pppill",
     .action = copy,
     .size = 3,
     .returnsEnd = true,
     .limit = 4},
    {.name = "__strcpy_chk",
     .types = "pppl",
     .action = copy,
     .endsAtZero = true,
     .limit = 3},
    {.name = "__stpcpy_chk",
     .types = "pppl",
     .action = copy,
     .endsAtZero = true,
     .returnsEnd = true,
     .limit = 3},
    {.name = "__strcat_chk",
     .types = "pppl",
     .action = append,
     .endsAtZero = true,
     .limit = 3},
    {.name = "__strlcpy_chk",
     .types = "lppll",
     .action = copyFitting,
     .size = 2,
     .limit = 3},
    {.name = "__memcpy_chk",
     .types = "pppll",
     .action = copyAll,
     .size = 2,
     .limit = 3},
    {.name = "__mempcpy_chk",
     .types = "pppll",
     .action = copyAll,
     .size = 2,
     .returnsEnd = true,
     .limit = 3},
    {.name = "__memmove_chk",
     .types = "pppll",
     .action = copyAll,
     .size = 2,
     .limit = 3,
     .mayOverlap = true},
    {.name = "__memset_chk",
     .types = "ppill",
     .action = fill,
     .size = 2,
     .limit = 3},
};

bool isOf(char letter, Type type) {
  switch (letter) {
  case 'v':
    return type.isVoid();
  case 'p':
    return type.isPointer();
  case 'x':
    return type.isInteger();
  case 'b':
    return type == Type::integer(8);
  case 'h':
    return type == Type::integer(16);
  case 'i':
    return type == Type::integer(32);
  default:
    return type == Type::integer(64);
  }
}

bool fits(std::string_view types, const Signature &signature) {
  const bool isVariadic = types.back() == '.';
  const std::size_t count = types.size() - (isVariadic ? 2 : 1);
  if (signature.parameters.size() < count ||
      (!isVariadic && signature.parameters.size() > count) ||
      !isOf(types[0], signature.returnType))
    return false;
  for (std::size_t i = 0; i < count; ++i)
    if (!isOf(types[i + 1], signature.parameters[i].type))
      return false;
  return true;
}

struct Named {
  std::string_view name;
  std::string_view types;
};
constexpr Named namedTable[] = {
#define NAMED(name, types) {name, types},
#include "corpus/program/library.def"
};
static_assert(std::ranges::is_sorted(namedTable, {}, &Named::name));

} // namespace

const LibraryFunction *libraryFunctionOf(const Callee &callee) {
  for (const LibraryFunction &row : libraryTable)
    if (row.name == callee.name && fits(row.types, callee.signature))
      return &row;
  return nullptr;
}

std::vector<CallInProgram> callsIn(const Program &program) {
  std::optional<Graph> graph;
  std::vector<CallInProgram> calls;
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (std::size_t i = program.blocks[b].begin; i < program.blocks[b].end;
         ++i) {
      const Instruction &instruction = program.instructions[i];
      if (instruction.opcode != Opcode::call ||
          libraryFunctionOf(program, instruction) != nullptr)
        continue;
      if (!graph)
        graph.emplace(program);
      calls.push_back({&instruction, graph->isInCycle(b)});
    }
  return calls;
}

std::string_view unknownLibraryFunction(const Callee &callee) {
  const std::string_view name =
      std::string_view(callee.name).substr(0, callee.name.find('.'));
  const auto *row =
      std::ranges::lower_bound(namedTable, name, {}, &Named::name);
  return row != std::end(namedTable) && row->name == name &&
                 (row->types.back() == '.' || name == callee.name) &&
                 fits(row->types, callee.signature)
             ? row->name
             : std::string_view();
}

bool isLibraryName(std::string_view name) {
  const auto isNamed = [&](const auto &row) { return row.name == name; };
  return std::ranges::any_of(libraryTable, isNamed) ||
         std::ranges::any_of(namedTable, isNamed);
}

const LibraryFunction *libraryFunctionOf(const Program &program,
                                         const Instruction &instruction) {
  return instruction.opcode == Opcode::call
             ? libraryFunctionOf(program.callees[instruction.callee])
             : nullptr;
}

} // namespace corpus
