// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How irsieve and its workers talk, and what a reader answers: frames of CBOR,
// a length and a JSON document, over a socket. Both ends are the same build, so
// there is no version; a malformed frame is a bug, a dead peer or one in whose
// memory a pass has written, never bad input.
//
// Threads: one at a time on each end of a socket.
#pragma once

#include "corpus/program/reader.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace runner {

using Json = nlohmann::json;

/// Writes one frame; false when the peer is gone.
bool writeFrame(int file, const Json &message);
/// Reads one frame; nothing when the peer is gone or speaks garbage.
std::optional<Json> readFrame(int file);

struct GarbledFrame : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json toJson(const corpus::Program &program);
/// Throws GarbledFrame for what encode() did not write.
corpus::Program programFromJson(const Json &json);
Json toJson(const std::vector<corpus::ReadFunction> &functions);
std::vector<corpus::ReadFunction> functionsFromJson(const Json &json);

using ReadFile =
    std::function<corpus::Result<std::vector<corpus::ReadFunction>>(
        const std::string &path, corpus::Reading reading)>;
/// The reply to Worker::read().
Json answerToRead(const Json &request, const ReadFile &read);

} // namespace runner
