; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the nuw of a sum that nobody uses counts for another counter with the same start and step, whose loop then never ends
; id: m175729
; issue: llvm/llvm-project#175729
; passes: indvars
; kind: diverges
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 83b54faca571 2026461e6b75 7d6fc10e28c5 84177eeacf57 3edece11dcde
; root: 24e47f75d774 9137e41902a6
define void @f() {
entry:
  br label %b1
b1:
  %v1 = phi i3 [ -2, %entry ], [ %v5, %b1 ]
  %v2 = phi i3 [ -2, %entry ], [ %v3, %b1 ]
  %v3 = add nuw i3 %v2, 1
  %v5 = add i3 %v1, 1
  %v6 = icmp eq i3 %v1, 0
  br i1 %v6, label %b2, label %b1
b2:
  ret void
}
