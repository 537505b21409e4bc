// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of spaces, printed, pass the verifier of each installed LLVM release.
#include "corpus/program/print.h"
#include "corpus/system/process.h"
#include "enumerate/space.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace enumerate {
namespace {

struct Installed {
  unsigned release;
  std::string opt;
};

/// "13=/usr/bin/opt-13" for each program that CMake found.
std::vector<Installed> installed() {
  std::vector<Installed> found;
  for (const std::string_view entry : {IRSIEVE_OPT_PROGRAMS}) {
    const std::size_t equals = entry.find('=');
    found.push_back(
        {static_cast<unsigned>(std::atoi(std::string(entry).c_str())),
         std::string(entry.substr(equals + 1))});
  }
  return found;
}

class Verifier : public ::testing::TestWithParam<const char *> {};

TEST_P(Verifier, acceptsMembers) {
  const auto members = parseSpace(GetParam());
  ASSERT_TRUE(members) << members.error().message;
  const auto releases = installed();
  ASSERT_FALSE(releases.empty()) << "no opt was found when CMake ran";
  unsigned covered = 0;
  for (const auto &[release, opt] : releases) {
    const bool hasPointers =
        std::string_view(GetParam()).find("mem=") != std::string_view::npos;
    // Workers get programs; text with `ptr` is beyond opt 13, and opt 14 has
    // to be told.
    if ((*members)->lackIn(release) || (hasPointers && release < 14))
      continue;
    ++covered;
    std::set<std::string> declarations;
    std::string functions;
    for (corpus::Rank rank : sampleRanks((*members)->count(), 2'000, 1)) {
      const corpus::Program program = (*members)->at(rank);
      for (std::string &line : corpus::printDeclarations(program, release))
        declarations.insert(std::move(line));
      functions +=
          corpus::printFunction(program, "f" + corpus::toString(rank), release);
    }
    std::vector<std::string> arguments = {opt, "-passes=verify",
                                          "-disable-output"};
    if (hasPointers && release == 14)
      arguments.emplace_back("-opaque-pointers");
    const corpus::ProcessEnd end = corpus::runProcess(
        arguments,
        fmt::format("{}\n{}", fmt::join(declarations, "\n"), functions), {});
    EXPECT_TRUE(end.isGood()) << opt << ": " << end.err;
  }
  EXPECT_GT(covered, 0U) << "no installed release takes " << GetParam();
}

// All functions where there are at most 2,000.
INSTANTIATE_TEST_SUITE_P(
    Spaces, Verifier,
    ::testing::Values("i1x1", "i2x1", "i1x2", "i2x2", "i2x3", "i4x2",
                      "i64x3:consts=few", "i4x3:modern", "i4x2:cmp",
                      "i16x3:minmax,bits,sat,funnel,overflow,consts=few",
                      "i1x3:minmax,bits,sat,funnel,overflow",
                      "i4x3:undef,poison,types=2+8", "i4x3:blocks=4,args=2",
                      "i1x3:blocks=3,loops,switch,same-target,args=2",
                      "i4x3:undef,poison,blocks=3,calls,args=2",
                      "i2x2:blocks=3,loops,calls=willreturn",
                      "i2x3:assume,blocks=3,args=2",
                      "i2x3:blocks=3,switch,frozen,poison,args=2",
                      "i2x2:blocks=4,unreachable,calls,args=2",
                      "i2x2:graph=table,args=2", "i4x2:graph=dispatch,args=2",
                      "i8x3:mem=a1+p1,align,graph=diamond,poison,undef",
                      "i8x3:mem=a2+p2,access=8+16,gep=inbounds,index,lifetime,"
                      "intrinsics,ptr=icmp+select+phi+ret,null,graph=loop",
                      "i8x2:mem=a3+p2,calls=argmem+align+nonnull+captures+"
                      "nofree,intrinsics,attrs=noundef+"
                      "noalias+readonly+captures+dereferenceable",
                      "i8x2:mem=a4+p4,access=8+2x8+2x16,gep,"
                      "calls=noalias+readonly+argmem+read,undef,poison",
                      "i8x2:mem=p1,calls=write,attrs=readonly+readnone+"
                      "writeonly+writable+initializes",
                      "i8x3:mem=p1,calls=read+value,consts=two,args=1",
                      "i8x2:mem=p1,calls=read+willreturn,attrs=nonnull+nofree+"
                      "dead_on_unwind+dereferenceable",
                      "i8x3:mem=a2+p2,gep=nusw+nuw",
                      "v2i2x3:shuffle,insert,index,bitcast,reduce,undef,poison,"
                      "consts=lanes",
                      "v3i4x2:shuffle,insert,index,reduce,modern,consts=few",
                      "v2i16x2:minmax,bits,sat,funnel,overflow,cmp,shuffle,"
                      "consts=few"));

} // namespace
} // namespace enumerate
