// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: all members of a space as printed text, each of them checked on
// the way. For the tests that know the same set from elsewhere.
#pragma once

#include "corpus/program/print.h"
#include "enumerate/space.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace enumerate::testing {

/// A member that does not verify, or of which rank and at() are not inverse,
/// fails the running test and ends the walk; so does a count that is another.
inline void collectMembers(const Space &space, std::set<std::string> &members) {
  for (auto cursor = space.from(0); !cursor->atEnd(); cursor->next()) {
    const corpus::Program &program = cursor->program();
    ASSERT_EQ(corpus::verify(program), std::nullopt)
        << corpus::printFunction(program);
    ASSERT_EQ(space.rank(program), cursor->rank());
    ASSERT_EQ(space.at(cursor->rank()), program);
    members.insert(corpus::printFunction(program));
  }
  EXPECT_EQ(members.size(), space.count());
}

} // namespace enumerate::testing
