// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/encode.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace corpus {
namespace {

constexpr std::uint8_t formatByte = 1;

/// One description of the layout serves writing and reading: `Archive` is a
/// Writer or a Reader, and each transfer() moves one field its way.
///
/// A Writer fills `buffer` and appends it to `out` when it is full, and in
/// finish(): bytes go where nothing else can lie, so that the place of the next
/// one stays in a register.
class Writer {
public:
  Writer(std::span<std::uint8_t> buffer, Bytes &out)
      : begin_(buffer.data()), next_(buffer.data()),
        end_(buffer.data() + buffer.size()), out_(&out) {}

  void number(std::uint64_t value) {
    if (end_ - next_ < longestNumber)
      flush();
    for (; value >= 0x80; value >>= 7)
      *next_++ = static_cast<std::uint8_t>(value | 0x80);
    *next_++ = static_cast<std::uint8_t>(value);
  }
  void text(const std::string &value) {
    number(value.size());
    for (const char c : value)
      byte(static_cast<std::uint8_t>(c));
  }
  template <typename T> void size(const std::vector<T> &values) {
    number(values.size());
  }
  template <typename T> void enumeration(T value) {
    byte(static_cast<std::uint8_t>(value));
  }
  void opcode(Opcode value) { byte(info(value).code); }
  void flags(Flags value) { byte(value.bits()); }
  void type(Type value) { number(value.id()); }
  void boolean(bool value) { byte(value ? 1 : 0); }
  void byte(std::uint8_t value) {
    if (end_ == next_)
      flush();
    *next_++ = value;
  }
  template <typename T> void integer(T value) { number(value); }
  /// Whether this optional part is there, or one behind it.
  bool hasPart(bool isThere) { return isThere; }
  void finish() { append(*out_, begin_, next_); }

private:
  static constexpr std::ptrdiff_t longestNumber = 10;

  [[gnu::noinline]] static void append(Bytes &out, const std::uint8_t *begin,
                                       const std::uint8_t *end) {
    out.insert(out.end(), begin, end);
  }
  void flush() {
    append(*out_, begin_, next_);
    next_ = begin_;
  }

  std::uint8_t *begin_;
  std::uint8_t *next_;
  std::uint8_t *end_;
  Bytes *out_;
};

class Reader {
public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool good() const { return good_; }
  bool atEnd() const { return bytes_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = next();
      value |= std::uint64_t(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        return value;
    }
    good_ = false;
    return 0;
  }
  void text(std::string &value) {
    const std::size_t size = bounded();
    value.assign(bytes_.begin(), bytes_.begin() + size);
    bytes_ = bytes_.subspan(size);
  }
  template <typename T> void size(std::vector<T> &values) {
    values.resize(bounded());
  }
  template <typename T> void enumeration(T &value) {
    value = static_cast<T>(next());
  }
  void opcode(Opcode &value) {
    const auto found = findOpcode(next());
    good_ = good_ && found;
    value = found.value_or(Opcode::unreachable);
  }
  void flags(Flags &value) { value = Flags(next()); }
  void boolean(bool &value) { value = next() != 0; }
  void byte(std::uint8_t &value) { value = next(); }
  void type(Type &value) {
    std::uint32_t id = 0;
    integer(id);
    value = Type::fromId(id);
  }
  template <typename T> void integer(T &value) {
    const std::uint64_t wide = number();
    value = static_cast<T>(wide);
    good_ = good_ && value == wide;
  }
  bool hasPart(bool) { return !bytes_.empty(); }

private:
  std::uint8_t next() {
    if (bytes_.empty()) {
      good_ = false;
      return 0;
    }
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  /// A count of things that take at least one byte each.
  std::size_t bounded() {
    const std::uint64_t value = number();
    if (value > bytes_.size()) {
      good_ = false;
      return 0;
    }
    return value;
  }

  std::span<const std::uint8_t> bytes_;
  bool good_ = true;
};

std::size_t valuesOf(std::uint32_t bits) {
  return static_cast<std::size_t>(std::count_if(
      attributeTable.begin(), attributeTable.end(), [&](const auto &row) {
        return (bits & row.bit) != 0 && row.value != AttributeValue::none;
      }));
}

template <typename Archive, typename T>
void transfer(Archive &archive, T &operand) requires
    std::is_same_v<std::remove_const_t<T>, Operand> {
  archive.enumeration(operand.kind);
  archive.type(operand.type);
  archive.integer(operand.payload);
}

template <typename Archive, typename T>
void transfer(Archive &archive, T &attributes) requires
    std::is_same_v<std::remove_const_t<T>, Attributes> {
  archive.integer(attributes.bits);
  if (attributes.empty())
    return;
  if constexpr (!std::is_const_v<T>)
    attributes.values.resize(valuesOf(attributes.bits));
  std::size_t index = 0;
  for (const AttributeInfo &row : attributeTable) {
    if (!attributes.has(row.bit) || row.value == AttributeValue::none)
      continue;
    auto &value = attributes.values[index++];
    if constexpr (!std::is_const_v<T>)
      value.bit = row.bit;
    archive.integer(value.low);
    if (hasHigh(row.value))
      archive.integer(value.high);
  }
}

template <typename Archive, typename T>
void transfer(Archive &archive, T &signature) requires
    std::is_same_v<std::remove_const_t<T>, Signature> {
  archive.type(signature.returnType);
  transfer(archive, signature.function);
  transfer(archive, signature.result);
  archive.size(signature.parameters);
  for (auto &parameter : signature.parameters) {
    archive.type(parameter.type);
    transfer(archive, parameter.attributes);
  }
}

template <typename Archive, typename T>
void transfer(Archive &archive, T &program) requires
    std::is_same_v<std::remove_const_t<T>, Program> {
  transfer(archive, program.signature);
  archive.size(program.blocks);
  for (auto &block : program.blocks)
    archive.integer(block.end);
  archive.size(program.instructions);
  for (auto &instruction : program.instructions) {
    archive.opcode(instruction.opcode);
    const OpcodeInfo &row = info(instruction.opcode);
    archive.flags(instruction.flags);
    archive.type(instruction.type);
    archive.integer(instruction.operandCount);
    if (row.has(trait::predicate))
      archive.enumeration(instruction.predicate);
    if (row.has(trait::callee))
      archive.integer(instruction.callee);
    if (row.has(trait::accessedType))
      archive.type(instruction.accessedType);
    if (row.has(trait::alignment))
      archive.integer(instruction.alignment);
    // One more, so that "none" is the short number.
    std::uint32_t attributes = instruction.attributes + 1;
    archive.integer(attributes);
    if constexpr (!std::is_const_v<T>)
      instruction.attributes = attributes - 1;
  }
  archive.size(program.operands);
  for (auto &operand : program.operands)
    transfer(archive, operand);
  archive.size(program.callees);
  for (auto &callee : program.callees) {
    archive.text(callee.name);
    transfer(archive, callee.signature);
  }
  archive.size(program.callAttributes);
  for (auto &call : program.callAttributes) {
    transfer(archive, call.function);
    transfer(archive, call.result);
    archive.size(call.parameters);
    for (auto &parameter : call.parameters)
      transfer(archive, parameter);
  }
  const bool hasGlobals = program.bigEndian || !program.globals.empty();
  if (!archive.hasPart(hasGlobals || !program.constants.empty()))
    return;
  archive.size(program.constants);
  for (auto &constant : program.constants) {
    archive.type(constant.type);
    archive.size(constant.lanes);
    for (auto &lane : constant.lanes)
      transfer(archive, lane);
  }
  if (!archive.hasPart(hasGlobals))
    return;
  archive.size(program.globals);
  for (auto &global : program.globals) {
    archive.text(global.name);
    archive.type(global.type);
    archive.integer(global.count);
    archive.integer(global.alignment);
    archive.boolean(global.isConstant);
    archive.size(global.contents);
    for (auto &byte : global.contents)
      archive.byte(byte);
  }
  if (archive.hasPart(program.bigEndian))
    archive.boolean(program.bigEndian);
}

/// What the encoding leaves out because verify() fixes it.
void restoreOffsets(Program &program) {
  std::uint32_t begin = 0;
  for (Block &block : program.blocks) {
    block.begin = begin;
    begin = block.end;
  }
  std::uint32_t firstOperand = 0;
  for (Instruction &instruction : program.instructions) {
    instruction.firstOperand = firstOperand;
    firstOperand += instruction.operandCount;
  }
}

} // namespace

/// Small functions fit at once.
[[gnu::flatten]] void encode(const Program &program, Bytes &out) {
  std::uint8_t buffer[512];
  Writer writer(buffer, out);
  writer.byte(formatByte);
  transfer(writer, program);
  writer.finish();
}

Bytes encode(const Program &program) {
  Bytes out;
  encode(program, out);
  return out;
}

Result<Program> decode(std::span<const std::uint8_t> bytes) {
  if (bytes.empty() || bytes.front() != formatByte)
    return Error{"not an encoded program of this version"};
  Reader reader(bytes.subspan(1));
  Program program;
  transfer(reader, program);
  if (!reader.good() || !reader.atEnd())
    return Error{"encoded program is cut short or too long"};
  restoreOffsets(program);
  if (encode(program) != Bytes(bytes.begin(), bytes.end()))
    return Error{"encoded program is not in the form that encoding has"};
  if (const auto problem = verify(program))
    return Error{"encoded program is malformed: " + *problem};
  return program;
}

Digest digestOf(std::span<const std::uint8_t> bytes) {
  const XXH128_hash_t value = XXH3_128bits(bytes.data(), bytes.size());
  return {value.low64, value.high64};
}

std::string toString(const Digest &digest) {
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

Result<Digest> parseDigest(std::string_view text) {
  constexpr std::size_t digits = 16;
  Digest digest;
  const auto parse = [](std::string_view half, std::uint64_t &value) {
    const auto [end, error] =
        std::from_chars(half.data(), half.data() + half.size(), value, 16);
    return error == std::errc() && end == half.data() + half.size();
  };
  if (text.size() != 2 * digits ||
      !parse(text.substr(0, digits), digest.high) ||
      !parse(text.substr(digits), digest.low))
    return Error{fmt::format("'{}' is not a digest of 32 hex digits", text)};
  return digest;
}

std::uint64_t hash(const Program &program, Bytes &scratch) {
  scratch.clear();
  encode(program, scratch);
  return XXH3_64bits(scratch.data(), scratch.size());
}

std::uint64_t hash(const Program &program) {
  Bytes scratch;
  return hash(program, scratch);
}

} // namespace corpus
