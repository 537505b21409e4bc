// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/frames.h"

#include "corpus/program/encode.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <sys/socket.h>
#include <unistd.h>

namespace runner {
namespace {

constexpr std::uint32_t maximumFrame = 1U << 30;
constexpr std::size_t readStep = 1U << 20;

bool writeAll(int file, const void *data, std::size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size > 0) {
    const ssize_t written = ::send(file, next, size, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    next += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool readAll(int file, void *data, std::size_t size) {
  char *next = static_cast<char *>(data);
  while (size > 0) {
    const ssize_t got = ::read(file, next, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    next += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

} // namespace

bool writeFrame(int file, const Json &message) {
  const std::vector<std::uint8_t> body = Json::to_cbor(message);
  assert(body.size() < maximumFrame);
  const auto size = static_cast<std::uint32_t>(body.size());
  return writeAll(file, &size, sizeof size) &&
         writeAll(file, body.data(), body.size());
}

std::optional<Json> readFrame(int file) {
  std::uint32_t size = 0;
  if (!readAll(file, &size, sizeof size) || size > maximumFrame)
    return std::nullopt;
  // A garbled size must not cost its memory.
  std::vector<std::uint8_t> body;
  while (body.size() < size) {
    const std::size_t have = body.size();
    body.resize(std::min<std::size_t>(size, have + readStep));
    if (!readAll(file, body.data() + have, body.size() - have))
      return std::nullopt;
  }
  Json message = Json::from_cbor(body, true, false);
  if (message.is_discarded())
    return std::nullopt;
  return message;
}

Json toJson(const corpus::Program &program) {
  return Json::binary(corpus::encode(program));
}

corpus::Program programFromJson(const Json &json) {
  auto program = corpus::decode(json.get_binary());
  if (!program)
    throw GarbledFrame("no function");
  return std::move(*program);
}

Json toJson(const std::vector<corpus::ReadFunction> &functions) {
  Json json = Json::array();
  for (const corpus::ReadFunction &function : functions) {
    Json entry = {{"name", function.name}};
    if (const auto *program = std::get_if<corpus::Program>(&function.body))
      entry["program"] = toJson(*program);
    else
      entry["unsupported"] =
          std::get<corpus::Unsupported>(function.body).reason;
    if (!function.leftOut.empty())
      entry["left_out"] = function.leftOut;
    json.push_back(std::move(entry));
  }
  return json;
}

std::vector<corpus::ReadFunction> functionsFromJson(const Json &json) {
  std::vector<corpus::ReadFunction> functions;
  for (const Json &entry : json) {
    corpus::ReadFunction function;
    function.name = entry.at("name");
    if (entry.contains("program"))
      function.body = programFromJson(entry.at("program"));
    else
      function.body =
          corpus::Unsupported{entry.at("unsupported").get<std::string>()};
    if (entry.contains("left_out"))
      entry.at("left_out").get_to(function.leftOut);
    functions.push_back(std::move(function));
  }
  return functions;
}

Json answerToRead(const Json &request, const ReadFile &read) {
  const auto functions =
      read(request.at("path").get<std::string>(),
           request.at("to_run").get<bool>() ? corpus::Reading::toRun
                                            : corpus::Reading::exactly);
  if (!functions)
    return {{"error", functions.error().message}};
  return {{"value", toJson(*functions)}};
}

} // namespace runner
