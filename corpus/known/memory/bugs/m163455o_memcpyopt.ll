; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The same where the callee cannot unwind, before LLVM asked whether the argument is writable
; id: m163455o
; issue: llvm/llvm-project#163455
; passes: memcpyopt
; kind: more-ub
; semantics: llvm
; wrong-in: 14 15 16
; right-in: 19 22
; signature: ad40ae19312e
; root: 9d6f66b9c89c 6eaba7454236
declare void @g(ptr) nounwind
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @f(ptr noalias noundef dereferenceable(1) %p) {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  ret void
}
