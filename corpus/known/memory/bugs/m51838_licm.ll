; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; LICM makes a store behind a loop always that the loop made sometimes, to an alloca outside its lifetime
; id: m51838
; issue: llvm/llvm-project#51838
; passes: licm
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: be5471ba0075 00f551202806
; root: 138c04882d63
declare void @llvm.lifetime.end.p0(ptr)
define void @f(i1 %a, i8 %b) {
entry:
  %v0 = alloca i8, align 1
  call void @llvm.lifetime.end.p0(ptr %v0)
  br label %b1
b1:
  br i1 %a, label %b2, label %b3
b2:
  ret void
b3:
  store i8 %b, ptr %v0, align 1
  br label %b1
}
