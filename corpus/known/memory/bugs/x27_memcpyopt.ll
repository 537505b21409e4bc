; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; MemCpyOpt takes llvm.lifetime.end for the call that fills what is copied, and ends the copy
; id: x27
; passes: memcpyopt
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 5a18b82a77e0
; root: faecdd3b6ef5 1ee2094b893b
declare void @llvm.lifetime.end.p0(ptr)
define void @f(i8 %a) {
  %v0 = alloca i8, align 1
  %v1 = alloca i8, align 1
  call void @llvm.lifetime.end.p0(ptr %v0)
  %v3 = load i8, ptr %v0, align 1
  store i8 %v3, ptr %v1, align 1
  store i8 %a, ptr %v1, align 1
  ret void
}
