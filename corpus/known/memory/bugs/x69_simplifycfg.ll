; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a store to an alloca outside its lifetime is speculated, because a load of it stands before the branch
; id: x69
; passes: simplifycfg
; kind: more-ub
; semantics: llvm
; wrong-in: 14 15 16 19 22
; right-in: 13
; signature: b74c3f7160e7 f8daf3c145d7
; root: 6e7ddcd5f03b
declare void @llvm.lifetime.end.p0(ptr)
define void @f(i1 %a, i8 %b) {
entry:
  %v0 = alloca i8, align 1
  call void @llvm.lifetime.end.p0(ptr %v0)
  %v2 = load i8, ptr %v0, align 1
  br i1 %a, label %b1, label %b2
b1:
  ret void
b2:
  store i8 %b, ptr %v0, align 1
  ret void
}
