; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi is taken for poison only where the next value of its loop is, though it has the one of the iteration before
; id: x65
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 2b9e041ed987 b47ab42ed7d5 c10255b446fe
; root: 0ba3fa5aa216 f95b7b2e8e70
define i1 @f(i2 %a, i2 %b, i2 %c, i2 %d, i2 %e) {
entry:
  br label %b1
b1:
  %v1 = phi i2 [ %a, %entry ], [ %b, %b1 ]
  %v2 = phi i2 [ 0, %entry ], [ %v3, %b1 ]
  %v3 = add nsw i2 %c, %v1
  %v4 = icmp eq i2 %d, %v1
  br i1 %v4, label %b1, label %b2
b2:
  %v6 = icmp eq i2 %e, %v3
  %v7 = icmp eq i2 0, %v2
  %v8 = select i1 %v6, i1 %v7, i1 false
  ret i1 %v8
}
