; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; what a counter is behind its loop is computed by a division by the step, which is not 0 but may be poison
; id: m202028
; issue: llvm/llvm-project#202028
; passes: indvars
; kind: more-ub
; semantics: llvm
; wrong-in: 15 16 19 22
; right-in: 13 14
; signature: 959dec16551b 37b8c31266e4 eeca38c63e8a
; root: 607a1456f609
define i3 @f(i3 %a, i1 %b) {
entry:
  %v0 = zext i1 %b to i3
  %v1 = add i3 %v0, 1
  br label %b1
b1:
  %v3 = phi i3 [ 0, %entry ], [ %v6, %b2 ]
  %v4 = icmp ult i3 %v3, %a
  br i1 %v4, label %b2, label %b3
b2:
  %v6 = add nuw i3 %v3, %v1
  br label %b1
b3:
  ret i3 %v3
}
