; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; MemCpyOpt passes the argument that a result would be copied to in place of a local variable: the callee sees its address, and may free it
; id: m163455
; issue: llvm/llvm-project#163455
; passes: memcpyopt
; kind: more-ub
; semantics: llvm
; wrong-in: 19 22
; not-in: 13 14 15 16
; signature: 8403b5d0696b
; root: 6eaba7454236
declare void @g(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @f(ptr noalias noundef writable dereferenceable(1) dead_on_unwind %p) {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  ret void
}
