; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a loop that shifts until 0 counts down from its trip count with nsw, and a count of 2 is -2 in i2
; id: x75
; passes: loop-idiom
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 2ed3cc97db31 71470e84320c
; root: b31adb2d1e0e
define i2 @f(i2 %a) {
entry:
  %v0 = icmp eq i2 %a, 0
  br i1 %v0, label %b2, label %b1
b1:
  %v2 = phi i2 [ %a, %entry ], [ %v5, %b1 ]
  %v3 = phi i2 [ 0, %entry ], [ %v4, %b1 ]
  %v4 = add i2 %v3, 1
  %v5 = lshr i2 %v2, 1
  %v6 = icmp eq i2 %v5, 0
  br i1 %v6, label %b2, label %b1
b2:
  %v8 = phi i2 [ 0, %entry ], [ %v4, %b1 ]
  ret i2 %v8
}
