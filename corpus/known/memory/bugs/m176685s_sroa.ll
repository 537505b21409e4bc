; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; SROA copies two bytes through an integer: one poison byte poisons both
; id: m176685s
; issue: llvm/llvm-project#176685
; passes: sroa
; kind: more-poison
; semantics: llvm
; wrong-in: 14 15 16 19 22
; signature: d7b948ad2247
; root: bd0d91b8762c
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @f(ptr %q, ptr %p) {
  %a = alloca i16, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 2, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %a, i64 2, i1 false)
  ret void
}
