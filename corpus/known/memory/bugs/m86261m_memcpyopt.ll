; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The same of MemCpyOpt: a copy of what was never written is dropped
; id: m86261m
; issue: llvm/llvm-project#86261
; passes: memcpyopt
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 7fc98ab8d650
; root: 9ec241e65913 8518e7527e66 cbb035f7a617
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p) {
  %a = alloca i8, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  ret void
}
