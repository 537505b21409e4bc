; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a comparison of what a counter was one iteration before is folded
; id: m126012
; issue: llvm/llvm-project#126012
; passes: indvars
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: 2ac9ddffe629
; root: 5a22ee33d153
define i3 @f(i3 %a, i3 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i3 [ %a, %entry ], [ %v9, %b3 ]
  %v2 = phi i3 [ 1, %entry ], [ %v3, %b3 ]
  %v3 = phi i3 [ 0, %entry ], [ %v10, %b3 ]
  %v4 = icmp eq i3 %v3, 0
  br i1 %v4, label %b3, label %b2
b2:
  %v6 = icmp sgt i3 %v2, 0
  %v7 = zext i1 %v6 to i3
  br label %b3
b3:
  %v9 = phi i3 [ %v7, %b2 ], [ %b, %b1 ]
  %v10 = add i3 %v3, 1
  %v11 = icmp eq i3 %v3, 2
  br i1 %v11, label %b4, label %b1
b4:
  ret i3 %v1
}
