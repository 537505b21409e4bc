// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every modifier of a spec against the brute-force generator.
#include "corpus/program/print.h"
#include "enumerate/brute_force.h"
#include "enumerate/checked_members.h"
#include "enumerate/lack.h"
#include "enumerate/space.h"
#include "enumerate/spec.h"
#include "enumerate/vocabulary.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace enumerate {
namespace {

using testing::BruteForceSpace;
using testing::Form;
using Forms = std::vector<Form>;

Forms operator+(Forms forms, const Forms &more) {
  forms.insert(forms.end(), more.begin(), more.end());
  return forms;
}

Forms modernForms(unsigned width) {
  Forms forms = {{"or disjoint i1 $0, $1", {1, 1}, {1}}};
  if (width == 1)
    forms.clear();
  forms.push_back(
      {fmt::format("or disjoint i{} $0, $1", width), {width, width}, {width}});
  for (const char *name :
       {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"})
    forms.push_back({fmt::format("icmp samesign {} i{} $0, $1", name, width),
                     {width, width},
                     {1}});
  if (width == 1)
    return forms;
  forms.push_back({fmt::format("zext nneg i1 $0 to i{}", width), {1}, {width}});
  for (const char *flags : {"nuw", "nsw", "nuw nsw"})
    forms.push_back(
        {fmt::format("trunc {} i{} $0 to i1", flags, width), {width}, {1}});
  return forms;
}

Form call(std::string_view name, unsigned width, unsigned operands,
          std::string_view extra = "") {
  std::string arguments;
  for (unsigned i = 0; i < operands; ++i)
    arguments += fmt::format("{}i{} ${}", i == 0 ? "" : ", ", width, i);
  return {fmt::format("call i{0} @llvm.{1}.i{0}({2}{3})", width, name,
                      arguments, extra),
          std::vector<unsigned>(operands, width),
          {width}};
}

Forms calls(const std::vector<std::string_view> &names, unsigned width,
            unsigned operands) {
  Forms forms;
  for (std::string_view name : names)
    forms.push_back(call(name, width, operands));
  return forms;
}

Forms withFlag(std::string_view name, unsigned width) {
  return {call(name, width, 1, ", i1 false"),
          call(name, width, 1, ", i1 true")};
}

Forms minmaxForms(unsigned width) {
  return calls({"smin", "smax", "umin", "umax"}, width, 2) +
         withFlag("abs", width);
}

Forms bitsForms(unsigned width) {
  return calls({"ctpop", "bitreverse"}, width, 1) + withFlag("ctlz", width) +
         withFlag("cttz", width);
}

Forms satForms(unsigned width) {
  return calls(
      {"sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat", "ushl.sat"},
      width, 2);
}

Forms overflowForms(unsigned width) {
  Forms forms;
  const std::string pair = fmt::format("{{ i{}, i1 }}", width);
  const std::string number = fmt::format("extractvalue {} $, 0", pair);
  const std::string bit = fmt::format("extractvalue {} $, 1", pair);
  for (const char *name : {"sadd", "uadd", "ssub", "usub", "smul", "umul"}) {
    Form form = {fmt::format("call {0} @llvm.{1}.with.overflow.i{2}(i{2} $0, "
                             "i{2} $1)",
                             pair, name, width),
                 {width, width},
                 {width},
                 {number}};
    forms.push_back(form);
    form.results = {1};
    form.extracts = {bit};
    forms.push_back(form);
    form.results = {width, 1};
    form.extracts = {number, bit};
    forms.push_back(form);
  }
  return forms;
}

Forms compareForms(unsigned width) {
  Forms forms;
  for (const char *name : {"scmp", "ucmp"})
    forms.push_back({fmt::format("call i{0} @llvm.{1}.i{0}.i{0}(i{0} $0, i{0} "
                                 "$1)",
                                 width, name),
                     {width, width},
                     {width}});
  return forms;
}

struct Case {
  const char *spec;
  unsigned instructions;
  std::vector<unsigned> widths;
  Forms forms;
  std::size_t arguments = 3;
  std::vector<std::string> indefinite = {};
};

// GoogleTest prints the parameter of a failing test.
void PrintTo(const Case &value, std::ostream *out) { *out << value.spec; }

class Modifiers : public ::testing::TestWithParam<Case> {};

TEST_P(Modifiers, sameFunctionsAsBruteForce) {
  const Case &expected = GetParam();
  BruteForceSpace everything;
  everything.instructions = expected.instructions;
  everything.arguments = expected.arguments;
  everything.forms = expected.forms;
  everything.indefinite = expected.indefinite;
  for (unsigned width : expected.widths)
    everything.constants[width] = testing::allConstants(width);

  const auto space = parseSpace(expected.spec);
  ASSERT_TRUE(space) << space.error().message;
  std::set<std::string> members;
  ASSERT_NO_FATAL_FAILURE(testing::collectMembers(**space, members));
  EXPECT_TRUE(members == testing::generateAndFilter(everything));
}

INSTANTIATE_TEST_SUITE_P(
    Vocabulary, Modifiers,
    ::testing::Values(
        Case{"i2x1:modern", 1, {1, 2}, testing::coreForms(2) + modernForms(2)},
        Case{"i1x1:modern", 1, {1}, testing::coreForms(1) + modernForms(1)},
        Case{"i2x1:minmax", 1, {1, 2}, testing::coreForms(2) + minmaxForms(2)},
        Case{"i2x1:bits", 1, {1, 2}, testing::coreForms(2) + bitsForms(2)},
        Case{"i16x1:ops=bswap,consts=none", 1, {1, 16}, {call("bswap", 16, 1)}},
        Case{"i2x1:sat", 1, {1, 2}, testing::coreForms(2) + satForms(2)},
        Case{"i2x1:funnel",
             1,
             {1, 2},
             testing::coreForms(2) + calls({"fshl", "fshr"}, 2, 3)},
        Case{"i2x1:overflow",
             1,
             {1, 2},
             testing::coreForms(2) + overflowForms(2)},
        Case{"i2x1:cmp", 1, {1, 2}, testing::coreForms(2) + compareForms(2)},
        Case{"i2x1:modern,minmax,bits,sat,funnel,overflow,cmp",
             1,
             {1, 2},
             testing::coreForms(2) + modernForms(2) + minmaxForms(2) +
                 bitsForms(2) + satForms(2) + calls({"fshl", "fshr"}, 2, 3) +
                 overflowForms(2) + compareForms(2)},
        Case{"i1x2:ops=sadd.with.overflow+uadd.with.overflow+ssub.with.overflow"
             "+usub.with.overflow+smul.with.overflow+umul.with.overflow+freeze",
             2,
             {1},
             overflowForms(1) + Forms{{"freeze i1 $0", {1}, {1}}}},
        Case{"i2x2:ops=umul.with.overflow+select", 2, {1, 2}, [] {
               Forms forms = overflowForms(2);
               return Forms(forms.end() - 3, forms.end()) +
                      Forms{testing::choiceForms(1)[0],
                            testing::choiceForms(2)[0]};
             }()}));

INSTANTIATE_TEST_SUITE_P(
    Leaves, Modifiers,
    ::testing::Values(
        Case{"i2x1:undef", 1, {1, 2}, testing::coreForms(2), 3, {"undef"}},
        Case{"i2x1:poison", 1, {1, 2}, testing::coreForms(2), 3, {"poison"}},
        Case{"i2x1:undef,poison",
             1,
             {1, 2},
             testing::coreForms(2),
             3,
             {"undef", "poison"}},
        Case{"i1x2:undef,poison,args=1",
             2,
             {1},
             testing::coreForms(1),
             1,
             {"undef", "poison"}},
        Case{"i2x2:ops=freeze+xor,undef,poison",
             2,
             {1, 2},
             Forms{{"xor i2 $0, $1", {2, 2}, {2}},
                   {"xor i1 $0, $1", {1, 1}, {1}},
                   {"freeze i2 $0", {2}, {2}},
                   {"freeze i1 $0", {1}, {1}}},
             3,
             {"undef", "poison"}}));

INSTANTIATE_TEST_SUITE_P(
    Types, Modifiers,
    ::testing::Values(
        Case{"i2x1:types=1+2+3",
             1,
             {1, 2, 3},
             testing::coreForms(2) + testing::arithmeticForms(3) +
                 testing::choiceForms(3) + testing::castForms(1, 3) +
                 testing::castForms(2, 3)},
        Case{"i1x1:types=2",
             1,
             {1, 2},
             testing::arithmeticForms(1) + testing::choiceForms(1) +
                 testing::arithmeticForms(2) + testing::choiceForms(2) +
                 testing::castForms(1, 2)},
        Case{"i2x2:types=3,ops=zext+sext+trunc+add,args=2",
             2,
             {1, 2, 3},
             [] {
               Forms forms = testing::castForms(1, 2) +
                             testing::castForms(1, 3) +
                             testing::castForms(2, 3);
               for (unsigned width : {2, 3}) {
                 const Forms all = testing::arithmeticForms(width);
                 forms = forms + Forms(all.begin(), all.begin() + 4);
               }
               return forms;
             }(),
             2}));

TEST(Modifiers, canonicalSpecs) {
  const auto canonical = [](std::string_view spec) {
    const auto parsed = parseSpec(spec);
    return parsed ? toString(*parsed) : parsed.error().message;
  };
  EXPECT_EQ(canonical("i4x2:types=4+1"), "i4x2");
  EXPECT_EQ(canonical("i4x2:types=8"), "i4x2:types=1+4+8");
  EXPECT_EQ(canonical("i4x2:poison,undef"), "i4x2:undef,poison");
  EXPECT_EQ(canonical("i8x2:consts=two,align,access=16+8,mem=p2+a2+p2,gep"),
            "i8x2:mem=a2+p2+p2,access=8+16,align,gep,consts=two");
  EXPECT_EQ(canonical("i8x2:mem=a4,access=4x8+2x16+16+2x8+4x8"),
            "i8x2:mem=a4,access=16+2x8+2x16+4x8");
  EXPECT_EQ(
      canonical("i8x2:mem=p1,access=8,ptr=select+icmp,attrs=readonly+"
                "noalias,calls=read+willreturn,gep=nuw+inbounds,lifetime"),
      "space modifier `lifetime`: only allocas have one; add aK to mem=");
  EXPECT_EQ(
      canonical("i8x2:mem=p1,access=8,ptr=select+icmp,null,attrs=readonly"
                "+noalias,calls=read+willreturn,gep=nuw+inbounds,graph=if"),
      "i8x2:graph=if,calls=willreturn+read,mem=p1,gep=inbounds+nuw,"
      "ptr=icmp+select,null,attrs=noalias+readonly");
  EXPECT_EQ(canonical("i4x2:ops=llvm.smin+icmp+add+add,modern"),
            "i4x2:modern,ops=add+icmp+smin");
}

TEST(Modifiers, badValuesAreNamed) {
  const auto messageOf = [](std::string_view spec) {
    const auto result = parseSpace(spec);
    EXPECT_FALSE(result) << spec;
    return result ? std::string() : result.error().message;
  };
  EXPECT_THAT(messageOf("i4x2:ops=add+foo"),
              AllOf(HasSubstr("`ops=add+foo`"), HasSubstr("sadd.sat")));
  EXPECT_THAT(messageOf("i4x2:ops="), HasSubstr("icmp"));
  EXPECT_THAT(messageOf("i4x2:ops"), HasSubstr("icmp"));
  EXPECT_THAT(messageOf("i4x2:ops=load"),
              AllOf(HasSubstr("`ops=load`"), HasSubstr("mem=a1")));
  for (const char *word :
       {"intrinsics", "lifetime", "access=16", "align", "gep", "ptr=select",
        "null", "attrs=noalias", "calls=read", "gep=inbounds"})
    EXPECT_THAT(messageOf(fmt::format("i8x2:{}", word)),
                AllOf(HasSubstr(fmt::format("`{}`", word)),
                      HasSubstr("mem=a1 or mem=p1")));
  EXPECT_THAT(messageOf("i8x2:mem="), HasSubstr("aK or pK"));
  EXPECT_THAT(messageOf("i8x2:mem=a9"), HasSubstr("1 to 8"));
  EXPECT_THAT(messageOf("i8x2:mem=p1+p2"), HasSubstr("one K for all pK"));
  EXPECT_THAT(messageOf("i8x2:mem=a1+a1+a1+a1"), HasSubstr("at most 3"));
  EXPECT_THAT(messageOf("i8x2:mem=a1,access=8+16"), HasSubstr("take a2"));
  EXPECT_THAT(messageOf("i8x2:mem=a2,access=4x8"), HasSubstr("take a4"));
  for (const char *word : {"2x", "x8", "5x8", "0x8", "2x8x8", "2x0"})
    EXPECT_THAT(messageOf(fmt::format("i8x2:mem=a8,access={}", word)),
                HasSubstr("2x8 of a vector of two lanes (at most 4)"));
  EXPECT_THAT(messageOf("i16x2:mem=p1"), HasSubstr("take p2"));
  EXPECT_THAT(messageOf("i16x2:mem=p2,intrinsics"), HasSubstr("i8"));
  EXPECT_THAT(messageOf("i8x2:mem=p1,lifetime"), HasSubstr("add aK"));
  EXPECT_THAT(messageOf("i8x2:mem=a1,attrs=noalias"), HasSubstr("add pK"));
  EXPECT_THAT(messageOf("i8x2:mem=p1,attrs=noalias+foo"),
              HasSubstr("readonly"));
  EXPECT_THAT(messageOf("i8x2:mem=p1,ptr=phi"), HasSubstr("graph=if"));
  EXPECT_THAT(messageOf("i8x2:mem=p1,gep=nsw"), HasSubstr("inbounds"));
  EXPECT_THAT(messageOf("i8x2:mem=p1+p1,args=7"), HasSubstr("8 arguments"));
  EXPECT_THAT(messageOf("v2i2x2:mem=p1"), HasSubstr("`mem`"));
  EXPECT_THAT(messageOf("i2x2:graph=ring"), HasSubstr("diamond"));
  EXPECT_THAT(messageOf("i2x2:graph=if,blocks=3"), HasSubstr("`graph`"));
  EXPECT_THAT(messageOf("i2x2:graph=if,loops"), HasSubstr("blocks="));
  EXPECT_THAT(messageOf("i4x2:ops=add,minmax"), HasSubstr("`minmax`"));
  EXPECT_THAT(messageOf("i4x2:types=65"), HasSubstr("`types=65`"));
  EXPECT_THAT(messageOf("i4x2:types=2+3+5+6"), HasSubstr("at most 4"));
  EXPECT_THAT(messageOf("i4x2:undef=1"), HasSubstr("takes no value"));
  EXPECT_THAT(messageOf("i1x2:cmp"), HasSubstr("`cmp`"));
  EXPECT_THAT(messageOf("i2x2:types=64"), HasSubstr("consts=few"));
  EXPECT_THAT(messageOf("i2x1:args=0"), HasSubstr("no functions"));
}

TEST(Modifiers, releasesLackByName) {
  const auto lack = [](std::string_view spec, unsigned release) {
    return (*parseSpace(spec))->lackIn(release).value_or("");
  };
  for (const VocabularyInfo &row : vocabularyTable()) {
    // Some are of vectors or of memory alone.
    std::string spec = fmt::format("i2x1:{}", row.name);
    if (row.ofVectors)
      spec.insert(0, "v2");
    else if (row.ofMemory)
      spec = fmt::format("i8x1:mem=a1,{}", row.name);
    else if (row.ofLoops)
      spec += ",graph=loop";
    EXPECT_EQ(lack(spec, 22), "") << row.name;
  }
  for (unsigned release : knownReleases)
    EXPECT_EQ(
        lack("i2x1:minmax,bits,sat,funnel,overflow,undef,poison", release), "");
  EXPECT_THAT(lack("i2x1:modern", 16),
              AllOf(HasSubstr("LLVM 16 has no "), HasSubstr("`or disjoint`"),
                    HasSubstr("`icmp samesign`"), HasSubstr("`zext nneg`"),
                    HasSubstr("`trunc nuw`"), HasSubstr("`trunc nsw`"),
                    HasSubstr("; take vocabulary core")));
  EXPECT_EQ(lack("i2x1:modern", 19),
            "LLVM 19 has no `icmp samesign`; take vocabulary core");
  EXPECT_EQ(lack("i2x1:ops=or,modern", 16),
            "LLVM 16 has no `or disjoint`; take vocabulary core");
  EXPECT_EQ(lack("i2x1:ops=or,modern", 19), "");
  EXPECT_THAT(lack("i2x1:cmp", 16), HasSubstr("`llvm.scmp`"));
  EXPECT_EQ(lack("i2x1:cmp", 19), "");
  EXPECT_EQ(lack("i8x1:mem=p1,attrs=noalias+captures", 13), "");
  EXPECT_THAT(lack("i8x1:mem=p1,attrs=writable", 16), HasSubstr("`writable`"));
  EXPECT_THAT(lack("i8x1:mem=p1,gep=nuw", 16),
              HasSubstr("`getelementptr nuw`"));
}

} // namespace
} // namespace enumerate
