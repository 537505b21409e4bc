; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the value that leaves a loop in its first iteration is folded to another
; id: m123550
; issue: llvm/llvm-project#123550
; passes: indvars
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: 5ca8830b3845
; root: b367a335d36b
define i16 @f() {
entry:
  br label %b1
b1:
  %v1 = phi i16 [ -173, %entry ], [ %v7, %b1 ]
  %v2 = phi i16 [ 1, %entry ], [ %v8, %b1 ]
  %v3 = srem i16 173, %v1
  %v4 = trunc i16 %v2 to i8
  %v5 = urem i8 -83, %v4
  %v6 = zext i8 %v5 to i16
  %v7 = sub i16 0, %v6
  %v8 = add i16 1, %v2
  br i1 true, label %b2, label %b1
b2:
  ret i16 %v3
}
