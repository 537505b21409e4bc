// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same loops, compiled for each instruction set; see bitsliced_kernel.cpp.
#include "checker/set_kernel.h"

namespace checker::setsliced {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define IRSIEVE_MULTIPLE_KERNELS 1
#endif

namespace portable {
namespace {
#include "checker/set_kernel.inc"
} // namespace
} // namespace portable

#ifdef IRSIEVE_MULTIPLE_KERNELS
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
namespace {
#include "checker/set_kernel.inc"
} // namespace
} // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,prefer-vector-width=512")
namespace avx512 {
namespace {
#include "checker/set_kernel.inc"
} // namespace
} // namespace avx512
#pragma GCC pop_options
#endif

Kernel selectKernel() {
#ifdef IRSIEVE_MULTIPLE_KERNELS
  if (__builtin_cpu_supports("avx512f"))
    return avx512::run;
  if (__builtin_cpu_supports("avx2"))
    return avx2::run;
#endif
  return portable::run;
}

} // namespace checker::setsliced
