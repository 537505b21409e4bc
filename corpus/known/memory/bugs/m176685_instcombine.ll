; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; InstCombine copies two bytes by an integer: one poison byte poisons both
; id: m176685
; issue: llvm/llvm-project#176685
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: ebebe4eb9038
; root: 51b9da3b9e10
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @f(ptr %q, ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 2, i1 false)
  ret void
}
