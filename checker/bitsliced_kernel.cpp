// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same loops, compiled for each instruction set. Only what stands between
// the pragmas uses it: code from headers must not, since the linker merges it.
#include "checker/bitsliced_kernel.h"

#include "corpus/program/opcode.h"

namespace checker::bitsliced {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define IRSIEVE_MULTIPLE_KERNELS 1
#endif

namespace portable {
namespace {
#include "checker/bitsliced_kernel.inc"
} // namespace
} // namespace portable

#ifdef IRSIEVE_MULTIPLE_KERNELS
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
namespace {
#include "checker/bitsliced_kernel.inc"
} // namespace
} // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,prefer-vector-width=512")
namespace avx512 {
namespace {
#include "checker/bitsliced_kernel.inc"
} // namespace
} // namespace avx512
#pragma GCC pop_options
#endif

std::size_t availableKernels(NamedKernel (&kernels)[3]) {
  std::size_t count = 0;
  kernels[count++] = {"portable", portable::run};
#ifdef IRSIEVE_MULTIPLE_KERNELS
  if (__builtin_cpu_supports("avx2"))
    kernels[count++] = {"avx2", avx2::run};
  if (__builtin_cpu_supports("avx512f"))
    kernels[count++] = {"avx512", avx512::run};
#endif
  return count;
}

Kernel selectKernel() {
  NamedKernel kernels[3];
  return kernels[availableKernels(kernels) - 1].run;
}

} // namespace checker::bitsliced
