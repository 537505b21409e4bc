; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; InstCombine copies a byte by an integer: one poison bit poisons all
; id: m176685b
; issue: llvm/llvm-project#176685
; passes: instcombine
; kind: more-poison
; semantics: memory-bits
; wrong-in: 13 14 15 16 19 22
; signature: 292ff32d4704
; root: 51b9da3b9e10
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @f(ptr %q, ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 1, i1 false)
  ret void
}
