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
    "nocf_check",
    "nodivergencesource",
    "noext",
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
    "correctly-rounded-divide-sqrt-fp-math",
    "denormal-fp-math",
    "denormal-fp-math-f32",
    "disable-tail-calls",
    "frame-pointer",
    "less-precise-fpmad",
    "memprof",
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
    "annotation", "DIAssignID", "dbg",         "heapallocsite",
    "irr_loop",   "nosanitize", "nontemporal", "make.implicit",
    "pcsections", "prof",       "srcloc",      "unpredictable",
};

// Promises about memory that a Program cannot hold, and that mean nothing where
// there is none.
constexpr std::string_view memoryMetadata[] = {
    "alias.scope", "invariant.group", "noalias", "tbaa", "tbaa.struct"};

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

/// The attribute that metadata of a load stands for, `!range` aside.
std::optional<std::uint32_t> loadMetadata(const llvm::Instruction &instruction,
                                          llvm::StringRef name) {
  if (llvm::isa<llvm::LoadInst>(instruction))
    for (const corpus::AttributeInfo &row : corpus::attributeTable)
      if ((row.places & corpus::place::load) != 0 &&
          row.bit != corpus::attribute::range && ref(row.spelling) == name)
        return row.bit;
  return std::nullopt;
}

/// Its name if a function can be run without it: it says that a function
/// allocates or frees, how a structure is passed, or where a call may stand.
/// Empty: it can't.
std::string_view dispensableAttribute(llvm::Attribute attribute) {
  static constexpr std::string_view names[] = {
      "alloc-family", "alloc-variant-zeroed",
      "allocalign",   "allockind",
      "allocptr",     "allocsize",
      "byval",        "convergent",
      "noduplicate",  "sret"};
  for (const std::string_view name : names)
    if (attribute.isStringAttribute()
            ? attribute.getKindAsString() == ref(name)
            : attribute.getKindAsEnum() ==
                      llvm::Attribute::getAttrKindFromName(ref(name)) &&
                  attribute.getKindAsEnum() != llvm::Attribute::None)
      return name;
  return {};
}

/// A structure has no name of its own here, but where it lies in memory.
std::string textOf(llvm::Attribute attribute) {
  if (attribute.isTypeAttribute() &&
      llvm::isa_and_nonnull<llvm::StructType>(attribute.getValueAsType()))
    return fmt::format(
        "{} of a structure",
        llvm::Attribute::getNameFromAttrKind(attribute.getKindAsEnum()).str());
  return attribute.getAsString();
}

/// Of one of the bits that say it.
std::optional<std::uint64_t> memoryOf(const corpus::Attributes &attributes,
                                      std::uint32_t bit) {
  switch (bit) {
  case corpus::attribute::memoryNone:
    return 0;
  case corpus::attribute::memoryRead:
    return corpus::memory::readOnly;
  case corpus::attribute::memory:
    return attributes.valueOf(bit).low;
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<std::string>
liftAttributes(llvm::AttributeSet set, Place place,
               llvm::function_ref<bool(std::string_view)> mayStayOut,
               LiftedAttributes &lifted) {
  std::uint64_t memory = corpus::memory::all;
  const auto isDispensable = [&](llvm::Attribute attribute) {
    const std::string_view name = dispensableAttribute(attribute);
    return !name.empty() && mayStayOut(name);
  };
  for (const llvm::Attribute attribute : set) {
    if (attribute.isStringAttribute()) {
      if (!llvm::is_contained(
              ignoredStrings,
              std::string_view(attribute.getKindAsString().data(),
                               attribute.getKindAsString().size())) &&
          !isDispensable(attribute))
        return fmt::format("attribute {}", attribute.getAsString());
      continue;
    }
    if (const auto range = release::rangeOf(attribute)) {
      if (range->getBitWidth() > corpus::Type::maximumWidth)
        return std::string("integer wider than 64 bits");
      setRange(lifted.attributes, *range);
      continue;
    }
    if (place == Place::function)
      if (const auto effects = release::memoryOf(attribute)) {
        memory &= *effects;
        continue;
      }
    if (const auto captured = release::capturesOf(attribute)) {
      if (captured->first != corpus::captures::all ||
          captured->second != corpus::captures::all)
        lifted.attributes.add(corpus::attribute::captures, captured->first,
                              captured->second);
      continue;
    }
    if (const auto intervals = release::initializedBy(attribute);
        !intervals.empty()) {
      if (intervals.size() > 1)
        return fmt::format("attribute {}", attribute.getAsString());
      lifted.attributes.add(
          corpus::attribute::initializes,
          static_cast<std::uint64_t>(intervals[0].getLower().getSExtValue()),
          static_cast<std::uint64_t>(intervals[0].getUpper().getSExtValue()));
      continue;
    }
    if (attribute.hasAttribute(llvm::Attribute::Returned)) {
      lifted.returned = true;
      continue;
    }
    const KindAction &action = kindTable()[attribute.getKindAsEnum()];
    if (action.what == KindAction::unsupported && isDispensable(attribute))
      continue;
    if (action.what == KindAction::unsupported)
      return fmt::format("attribute {}", textOf(attribute));
    if (action.what == KindAction::lift)
      lifted.attributes.add(action.bit, attribute.isIntAttribute()
                                            ? attribute.getValueAsInt()
                                            : 0);
  }
  lifted.attributes.addEffects(memory);
  return std::nullopt;
}

bool isAboutMemory(llvm::StringRef metadata) {
  return llvm::is_contained(memoryMetadata,
                            std::string_view(metadata.data(), metadata.size()));
}

bool isIgnoredMetadata(llvm::StringRef name) {
  return llvm::is_contained(ignoredMetadata,
                            std::string_view(name.data(), name.size()));
}

std::optional<std::string>
liftMetadata(const llvm::Instruction &instruction,
             llvm::function_ref<bool(std::string_view)> mayStayOut,
             corpus::Attributes &result) {
  llvm::SmallVector<std::pair<unsigned, llvm::MDNode *>, 4> nodes;
  instruction.getAllMetadataOtherThanDebugLoc(nodes);
  llvm::SmallVector<llvm::StringRef, 64> names;
  instruction.getContext().getMDKindNames(names);
  for (const auto &[kind, node] : nodes) {
    if (isIgnoredMetadata(names[kind]) ||
        (isAboutMemory(names[kind]) &&
         mayStayOut({names[kind].data(), names[kind].size()})) ||
        (kind == llvm::LLVMContext::MD_loop &&
         (!mustProgress(*node) || mayStayOut("llvm.loop.mustprogress"))))
      continue;
    if (const auto bit = loadMetadata(instruction, names[kind])) {
      const auto *value = node->getNumOperands() == 1
                              ? llvm::mdconst::dyn_extract<llvm::ConstantInt>(
                                    node->getOperand(0))
                              : nullptr;
      result.add(*bit, value == nullptr ? 0 : value->getZExtValue());
      continue;
    }
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
  if (attributes.has(corpus::attribute::memory) &&
      !release::hasMemoryAttributes(
          attributes.valueOf(corpus::attribute::memory).low))
    return fmt::format("LLVM {} has no such attribute `memory`",
                       release::number);
  if (attributes.has(corpus::attribute::captures)) {
    const auto &value = attributes.valueOf(corpus::attribute::captures);
    if (!release::hasCaptures(value.low, value.high))
      return fmt::format("LLVM {} has no attribute `captures`",
                         release::number);
  }
  if (attributes.has(corpus::attribute::range) &&
      attributes.range().low == attributes.range().high)
    return std::string("LLVM has no attribute `range` with equal bounds");
  return std::nullopt;
}

void lowerMetadata(const corpus::Attributes &attributes, llvm::LoadInst &load) {
  llvm::LLVMContext &context = load.getContext();
  const auto number = [](llvm::IntegerType *type, std::uint64_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value));
  };
  for (const corpus::AttributeInfo &row : corpus::attributeTable) {
    if (!attributes.has(row.bit))
      continue;
    llvm::SmallVector<llvm::Metadata *, 2> operands;
    if (row.value == corpus::AttributeValue::interval) {
      auto *type =
          llvm::cast<llvm::IntegerType>(load.getType()->getScalarType());
      const auto &value = attributes.valueOf(row.bit);
      operands = {number(type, value.low), number(type, value.high)};
    } else if (row.value != corpus::AttributeValue::none) {
      operands = {number(llvm::Type::getInt64Ty(context),
                         attributes.valueOf(row.bit).low)};
    }
    load.setMetadata(context.getMDKindID(ref(row.spelling)),
                     llvm::MDNode::get(context, operands));
  }
}

llvm::AttributeSet lowerAttributes(llvm::LLVMContext &context,
                                   const corpus::Attributes &attributes,
                                   corpus::Type type) {
  llvm::SmallVector<llvm::Attribute, 8> list;
  for (const corpus::AttributeInfo &row : corpus::attributeTable) {
    if (!attributes.has(row.bit))
      continue;
    if (const auto effects = memoryOf(attributes, row.bit)) {
      list.append(release::memoryAttributes(context, *effects));
      continue;
    }
    if (row.bit == corpus::attribute::tail) // of the call itself
      continue;
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
    case corpus::AttributeValue::byteInterval: {
      const auto &value = attributes.valueOf(row.bit);
      list.push_back(release::initializesAttribute(
          context, llvm::ConstantRange(llvm::APInt(64, value.low),
                                       llvm::APInt(64, value.high))));
      break;
    }
    case corpus::AttributeValue::captures: {
      const auto &value = attributes.valueOf(row.bit);
      list.push_back(
          release::capturesAttribute(context, value.low, value.high));
      break;
    }
    case corpus::AttributeValue::memory: // memoryOf() has it
      break;
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
