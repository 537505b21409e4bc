; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the larger of two pointers is computed anew with the operands exchanged, and is the other one where both compare equal
; id: x21
; passes: indvars
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 06ac710f92c5 e92eb13c27e2
; root: 8da68bffb017
define ptr @f(ptr %a, ptr %b, i1 %c) {
entry:
  %v0 = icmp ugt ptr %a, %b
  br label %b1
b1:
  %v2 = select i1 %v0, ptr %a, ptr %b
  br i1 %c, label %b1, label %b2
b2:
  ret ptr %v2
}
