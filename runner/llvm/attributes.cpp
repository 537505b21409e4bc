// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/attributes.h"

#include "runner/llvm/release.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace runner {
namespace {

// Promises about memory that no integer function touches, requests to the code
// generator, and hints. `speculatable` and `convergent` are not here: they say
// something about calls that a trace can show.
constexpr std::string_view ignoredAttributes[] = {
    "alignstack",
    "alwaysinline",
    "builtin",
    "cold",
    "disable_sanitizer_instrumentation",
    "fn_ret_thunk_extern",
    "hot",
    "hybrid_patchable",
    "inlinehint",
    "inreg",
    "minsize",
    "nobuiltin",
    "nocallback",
    "nocapture",
    "nocf_check",
    "nodivergencesource",
    "noext",
    "nofree",
    "noimplicitfloat",
    "noinline",
    "nomerge",
    "nonlazybind",
    "noprofile",
    "norecurse",
    "noredzone",
    "nosanitize_bounds",
    "nosanitize_coverage",
    "nosync",
    "null_pointer_is_valid",
    "optdebug",
    "optforfuzzing",
    "optnone",
    "optsize",
    "safestack",
    "sanitize_address",
    "sanitize_alloc_token",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_numerical_stability",
    "sanitize_realtime",
    "sanitize_realtime_blocking",
    "sanitize_thread",
    "sanitize_type",
    "shadowcallstack",
    "signext",
    "skipprofile",
    "speculative_load_hardening",
    "ssp",
    "sspreq",
    "sspstrong",
    "strictfp",
    "uwtable",
    "vscale_range",
    "zeroext",
};

// Attributes that LLVM spells as strings.
constexpr std::string_view ignoredStrings[] = {
    "approx-func-fp-math",
    "denormal-fp-math",
    "denormal-fp-math-f32",
    "disable-tail-calls",
    "frame-pointer",
    "less-precise-fpmad",
    "min-legal-vector-width",
    "no-builtins",
    "no-infs-fp-math",
    "no-inline-line-tables",
    "no-jump-tables",
    "no-nans-fp-math",
    "no-signed-zeros-fp-math",
    "no-trapping-math",
    "prefer-vector-width",
    "probe-stack",
    "stack-protector-buffer-size",
    "target-cpu",
    "target-features",
    "tune-cpu",
    "uniform-work-group-size",
    "unsafe-fp-math",
    "use-soft-float",
};

constexpr std::string_view ignoredMetadata[] = {
    "alias.scope", "annotation",  "DIAssignID",    "dbg",  "irr_loop",
    "noalias",     "nosanitize",  "pcsections",    "prof", "srcloc",
    "tbaa",        "tbaa.struct", "unpredictable",
};

llvm::StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

struct KindAction {
  enum { unsupported, lift, ignore } what = unsupported;
  std::uint32_t bit = 0; ///< of lift
};

using KindTable = std::array<KindAction, llvm::Attribute::EndAttrKinds>;

const KindTable &kindTable() {
  static const KindTable table = [] {
    KindTable kinds;
    // getAttrKindFromName() answers None for what a release does not know.
    for (const std::string_view name : ignoredAttributes)
      kinds[llvm::Attribute::getAttrKindFromName(ref(name))].what =
          KindAction::ignore;
    for (const corpus::AttributeInfo &row : corpus::attributeTable)
      kinds[llvm::Attribute::getAttrKindFromName(ref(row.spelling))] = {
          KindAction::lift, row.bit};
    kinds[llvm::Attribute::None] = {};
    return kinds;
  }();
  return table;
}

void setRange(corpus::Attributes &attributes,
              const llvm::ConstantRange &range) {
  attributes.add(corpus::attribute::range, range.getLower().getZExtValue(),
                 range.getUpper().getZExtValue());
}

/// A loop that `llvm.loop.mustprogress` obliges to end is not what its
/// instructions say; the rest of `!llvm.loop` are hints.
bool mustProgress(const llvm::MDNode &loop) {
  return llvm::any_of(loop.operands(), [](const llvm::MDOperand &operand) {
    const auto *hint = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
    if (!hint || hint->getNumOperands() == 0)
      return false;
    const auto *name =
        llvm::dyn_cast_or_null<llvm::MDString>(hint->getOperand(0).get());
    return name && name->getString() == "llvm.loop.mustprogress";
  });
}

} // namespace

std::optional<std::string> liftAttributes(llvm::AttributeSet set,
                                          LiftedAttributes &lifted) {
  for (const llvm::Attribute attribute : set) {
    if (attribute.isStringAttribute()) {
      if (!llvm::is_contained(
              ignoredStrings,
              std::string_view(attribute.getKindAsString().data(),
                               attribute.getKindAsString().size())))
        return fmt::format("attribute {}", attribute.getAsString());
      continue;
    }
    if (const auto range = release::rangeOf(attribute)) {
      if (range->getBitWidth() > corpus::Type::maximumWidth)
        return std::string("integer wider than 64 bits");
      setRange(lifted.attributes, *range);
      continue;
    }
    switch (release::memoryOf(attribute)) {
    case release::Memory::none:
      lifted.attributes.add(corpus::attribute::memoryNone);
      continue;
    case release::Memory::read:
      lifted.attributes.add(corpus::attribute::memoryRead);
      continue;
    case release::Memory::other:
      lifted.otherMemory = attribute.getAsString();
      continue;
    case release::Memory::notAboutMemory:
      break;
    }
    if (attribute.hasAttribute(llvm::Attribute::Returned)) {
      lifted.returned = true;
      continue;
    }
    const KindAction &action = kindTable()[attribute.getKindAsEnum()];
    if (action.what == KindAction::unsupported)
      return fmt::format("attribute {}", attribute.getAsString());
    if (action.what == KindAction::lift)
      lifted.attributes.add(action.bit, attribute.isIntAttribute()
                                            ? attribute.getValueAsInt()
                                            : 0);
  }
  return std::nullopt;
}

bool isIgnoredMetadata(llvm::StringRef name) {
  return llvm::is_contained(ignoredMetadata,
                            std::string_view(name.data(), name.size()));
}

std::optional<std::string> liftMetadata(const llvm::Instruction &instruction,
                                        corpus::Attributes &result) {
  llvm::SmallVector<std::pair<unsigned, llvm::MDNode *>, 4> nodes;
  instruction.getAllMetadataOtherThanDebugLoc(nodes);
  llvm::SmallVector<llvm::StringRef, 64> names;
  instruction.getContext().getMDKindNames(names);
  for (const auto &[kind, node] : nodes) {
    if (isIgnoredMetadata(names[kind]) ||
        (kind == llvm::LLVMContext::MD_loop && !mustProgress(*node)))
      continue;
    // Two operands: one interval. A Program has no list of them, and no second
    // range beside the attribute.
    if (kind == llvm::LLVMContext::MD_range &&
        !result.has(corpus::attribute::range) &&
        instruction.getType()->isIntegerTy() && node->getNumOperands() == 2 &&
        instruction.getType()->getIntegerBitWidth() <=
            corpus::Type::maximumWidth) {
      setRange(result, llvm::getConstantRangeFromMetadata(*node));
      continue;
    }
    return fmt::format("metadata !{} on {}", names[kind].str(),
                       instruction.getOpcodeName());
  }
  return std::nullopt;
}

std::optional<std::string>
lackedAttribute(const corpus::Attributes &attributes) {
  if (attributes.empty())
    return std::nullopt;
  for (const corpus::AttributeInfo &row : corpus::attributeTable)
    if (attributes.has(row.bit) && row.since > release::number)
      return fmt::format("LLVM {} has no attribute `{}`", release::number,
                         row.spelling);
  if (attributes.has(corpus::attribute::range) &&
      attributes.range().low == attributes.range().high)
    return std::string("LLVM has no attribute `range` with equal bounds");
  return std::nullopt;
}

llvm::AttributeSet lowerAttributes(llvm::LLVMContext &context,
                                   const corpus::Attributes &attributes,
                                   corpus::Type type) {
  llvm::SmallVector<llvm::Attribute, 8> list;
  for (const corpus::AttributeInfo &row : corpus::attributeTable) {
    if (!attributes.has(row.bit))
      continue;
    if (row.bit == corpus::attribute::memoryNone) {
      list.push_back(release::memoryAttribute(context, release::Memory::none));
      continue;
    }
    if (row.bit == corpus::attribute::memoryRead) {
      list.push_back(release::memoryAttribute(context, release::Memory::read));
      continue;
    }
    const auto kind = llvm::Attribute::getAttrKindFromName(ref(row.spelling));
    switch (row.value) {
    case corpus::AttributeValue::none:
      list.push_back(llvm::Attribute::get(context, kind));
      break;
    case corpus::AttributeValue::interval: {
      const unsigned width = type.lane(0).width();
      const auto &value = attributes.valueOf(row.bit);
      list.push_back(release::rangeAttribute(
          context, llvm::ConstantRange(llvm::APInt(width, value.low),
                                       llvm::APInt(width, value.high))));
      break;
    }
    case corpus::AttributeValue::bytes:
    case corpus::AttributeValue::powerOfTwo:
      list.push_back(
          llvm::Attribute::get(context, kind, attributes.valueOf(row.bit).low));
      break;
    }
  }
  return llvm::AttributeSet::get(context, list);
}

} // namespace runner
