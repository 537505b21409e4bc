// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes and metadata between LLVM and a Program: those with a meaning
// (corpus/program/attribute.h) are carried over, those in the tables of
// attributes.cpp cannot matter for integer functions without memory and are
// ignored, everything else is unsupported by name.
// Threads: the tables are immutable after the first call.
#pragma once

#include "corpus/program/attribute.h"
#include "corpus/program/type.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <string>
#include <string_view>

namespace runner {

/// Where attributes stand: `readonly` on a function is another one than on a
/// parameter.
enum class Place { function, value };

struct LiftedAttributes {
  corpus::Attributes attributes;
  bool returned = false; ///< the function returns this parameter
};

/// Nothing, or the attribute that a Program cannot hold.
/// `mayStayOut` is asked of what makes a callee an allocator.
std::optional<std::string>
liftAttributes(llvm::AttributeSet set, Place place,
               llvm::function_ref<bool(std::string_view)> mayStayOut,
               LiftedAttributes &lifted);

/// Nothing, or the metadata that a Program cannot hold. `!range` becomes the
/// attribute, and so does what stands on loads. `mayStayOut`: asked of what
/// promises something of memory that a Program cannot hold.
std::optional<std::string>
liftMetadata(const llvm::Instruction &instruction,
             llvm::function_ref<bool(std::string_view)> mayStayOut,
             corpus::Attributes &result);

/// Whether `name` is metadata of a function that cannot matter.
bool isIgnoredMetadata(llvm::StringRef name);

/// Nothing, or the attribute that this release lacks.
std::optional<std::string>
lackedAttribute(const corpus::Attributes &attributes);

/// Of a load. Intervals of any length are metadata, in every release.
void lowerMetadata(const corpus::Attributes &attributes, llvm::LoadInst &load);

/// Requires lackedAttribute() to be nothing. `type` is of the value, void for a
/// function.
llvm::AttributeSet lowerAttributes(llvm::LLVMContext &context,
                                   const corpus::Attributes &attributes,
                                   corpus::Type type);

} // namespace runner
