// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/semantics/semantics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace checker {
namespace {

using testing::HasSubstr;

TEST(Semantics, DefaultIsThePresetLlvm) {
  EXPECT_EQ(*parseSemantics("llvm"), Semantics());
  EXPECT_EQ(toString(Semantics()), "llvm");
}

TEST(Semantics, EveryChoiceOfEveryPresetReadsBack) {
  for (const Preset &preset : presetTable()) {
    EXPECT_EQ(toString(preset.semantics), preset.name);
    for (const Knob &knob : knobTable())
      for (std::size_t i = 0; i < knob.choices.size(); ++i) {
        Semantics semantics = preset.semantics;
        knob.set(semantics, i);
        EXPECT_EQ(knob.get(semantics), i);
        const auto again = parseSemantics(toString(semantics));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, semantics);
      }
  }
}

TEST(Semantics, Overrides) {
  const auto semantics = parseSemantics("taming:overflow=wrap,inputs=defined");
  ASSERT_TRUE(semantics);
  EXPECT_EQ(semantics->overflow, OverflowRule::wrap);
  EXPECT_EQ(semantics->inputs, Inputs::defined);
  EXPECT_EQ(semantics->undef, UndefRule::asPoison);
}

TEST(Semantics, TyposNameWhatIsKnown) {
  EXPECT_THAT(parseSemantics("lvm").error().message, HasSubstr("llvm-undef"));
  EXPECT_THAT(parseSemantics("llvm:overflw=wrap").error().message,
              HasSubstr("overflow"));
  EXPECT_THAT(parseSemantics("llvm:overflow=wrp").error().message,
              HasSubstr("poison, undef, wrap"));
  EXPECT_THAT(parseSemantics("llvm:overflow").error().message,
              HasSubstr("wrap"));
  EXPECT_FALSE(parseSemantics(""));
  EXPECT_FALSE(parseSemantics("llvm:"));
}

TEST(Semantics, Lists) {
  const auto list =
      parseSemanticsList("llvm:overflow=wrap,inputs=defined,taming");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 2U);
  EXPECT_EQ(toString((*list)[0]), "defined-inputs:overflow=wrap");
  EXPECT_EQ(toString((*list)[1]), "taming");
  const auto all = parseSemanticsList("all");
  const auto memory = parseSemanticsList("memory");
  // Together every preset, and `llvm` twice.
  EXPECT_EQ(all->size() + memory->size(), presetTable().size() + 1);
  for (const Semantics &each : *memory)
    EXPECT_EQ(each.inputs, Inputs::poison);
  EXPECT_FALSE(parseSemanticsList("llvm,nonsense"));
}

} // namespace
} // namespace checker
