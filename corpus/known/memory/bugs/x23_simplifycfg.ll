; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a load of one of two allocas is speculated past a branch, and the condition that chooses may be poison
; id: x23
; passes: simplifycfg
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 89b75125be57
; root: 7cb466ab1500
define i8 @f(i1 %a, i1 %b, i8 %c) {
entry:
  %v0 = alloca i8, align 1
  %v1 = alloca i8, align 1
  br i1 %a, label %b1, label %b2
b1:
  %v3 = select i1 %b, ptr %v0, ptr %v1
  %v4 = load i8, ptr %v3, align 1
  br label %b2
b2:
  %v6 = phi i8 [ %c, %entry ], [ %v4, %b1 ]
  ret i8 %v6
}
