; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; how often a loop runs is computed as if its nuw could not be violated, though calls come before that
; id: x74
; passes: indvars
; kind: calls
; semantics: llvm
; wrong-in: 14 15 16 19 22
; right-in: 13
; signature: 57fbace13403 af6819016eae
; root: 78f959ff9353
declare void @use()
define void @f(i8 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i8 [ -2, %entry ], [ %v5, %b2 ]
  %v2 = icmp ugt i8 %a, %v1
  br i1 %v2, label %b2, label %b3
b2:
  call void @use()
  %v5 = add nuw i8 2, %v1
  br label %b1
b3:
  ret void
}
