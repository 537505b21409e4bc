// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running LLVM so that a crash of it (signal, abort, report_fatal_error, an
// error that ends the process) comes back as a value. What the crashed code
// held is lost: its LLVMContext must be abandoned, not destroyed.
//
// llvm::CrashRecoveryContext does the recovery; in front of its signal handlers
// stand ours, which note the stack, since that is gone after the jump. Both are
// of the whole process, installed once.
// Threads: any number may be guarded at the same time.
#pragma once

#include <llvm/ADT/STLExtras.h>

#include <optional>
#include <string>

namespace runner {

/// Runs `code`. Nothing, or one line that says how it crashed: "SIGFPE in
/// llvm::APInt::sdiv < llvm::ConstantRange::binaryOp < ...", or LLVM's message.
/// It is equal for the same bug on different functions: no addresses, no
/// numbers.
std::optional<std::string> runGuarded(llvm::function_ref<void()> code);

/// Ends the guarded code that calls it, with `message` as after
/// report_fatal_error. Outside of guarded code it does nothing.
void failGuarded(llvm::StringRef message);

} // namespace runner
