; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; what an inner loop says of a value is taken to hold where that loop is not entered
; id: m60944
; issue: llvm/llvm-project#60944
; passes: indvars
; kind: more-ub
; semantics: llvm
; wrong-in: 14 15 16
; right-in: 13 19 22
; signature: dd597be60040
; root: 9937f7274bc3
@x = external global i32, align 4
define i8 @f(i8 %a, i8 %b, i1 %c, i8 %d) mustprogress {
entry:
  br label %b1
b1:
  %v1 = phi i8 [ %a, %entry ], [ %b, %b3 ]
  br i1 %c, label %b2, label %b3
b2:
  %v3 = load i8, ptr @x, align 4
  %v4 = icmp ult i8 %v1, %v3
  br i1 %v4, label %b3, label %b2
b3:
  %v6 = udiv i8 %d, %v1
  %v7 = icmp eq i8 -1, %v1
  br i1 %v7, label %b4, label %b1
b4:
  ret i8 %v6
}
