// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked into programs with mimalloc: other defaults, which the environment
// takes back (MIMALLOC_LARGE_OS_PAGES=0, MIMALLOC_DECOMMIT_DELAY=25). Z3 fills
// 17 MB for each question, and a fault for each 4 KiB of them, or one for each
// 2 MiB again and again, costs more than many an answer.
#include <mimalloc.h>

namespace {

constexpr long keptFor = 1000; ///< milliseconds

void setDefaults() {
  mi_option_set_enabled_default(mi_option_large_os_pages, true);
  mi_option_set_default(mi_option_decommit_delay, keptFor);
}

/// Before the first allocation, when mimalloc reads its options; constructors
/// come too late.
[[gnu::used,
  gnu::section(".preinit_array")]] void (*const first)() = setDefaults;

} // namespace
