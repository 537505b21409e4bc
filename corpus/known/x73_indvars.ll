; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the exit of a loop becomes one by another counter, whose sum keeps nuw, and wraps in the first iteration
; id: x73
; passes: indvars
; data-layout: n8:16:32:64
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: d5a3ad3f681d bf88f209cee1
; root: 9137e41902a6
declare void @use(i8)
define void @f(i8 %a, i8 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i8 [ -1, %entry ], [ %v5, %b1 ]
  %v2 = phi i8 [ %a, %entry ], [ %v4, %b1 ]
  call void @use(i8 %v1)
  %v4 = add i8 1, %v2
  %v5 = add nuw i8 1, %v1
  %v6 = icmp ugt i8 %b, %v2
  br i1 %v6, label %b1, label %b2
b2:
  ret void
}
