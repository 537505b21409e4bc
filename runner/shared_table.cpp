// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/shared_table.h"

#include <new>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace runner {
namespace {

/// Out of descriptors or memory: nothing that a user's input can cause.
[[noreturn]] void failToShare(const char *what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void *map(int file) {
  void *memory = ::mmap(nullptr, sizeof(InFlightTable), PROT_READ | PROT_WRITE,
                        MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    failToShare("mmap of the in-flight table");
  return memory;
}

} // namespace

SharedTable SharedTable::create() {
  const int file = ::memfd_create("irsieve-in-flight", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, sizeof(InFlightTable)) != 0)
    failToShare("memfd of the in-flight table");
  return {file, new (map(file)) InFlightTable};
}

SharedTable SharedTable::attach(int file) {
  return {file, static_cast<InFlightTable *>(map(file))};
}

SharedTable::~SharedTable() {
  if (table_ != nullptr) {
    ::munmap(table_, sizeof(InFlightTable));
    ::close(file_);
  }
}

SharedTable::SharedTable(SharedTable &&other) noexcept
    : file_(other.file_), table_(std::exchange(other.table_, nullptr)) {}

SharedTable &SharedTable::operator=(SharedTable &&other) noexcept {
  std::swap(file_, other.file_);
  std::swap(table_, other.table_);
  return *this;
}

} // namespace runner
