; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a pointer becomes another one that compares equal, and may belong to another object
; id: x20
; passes: newgvn
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 53e73bf2014a
; root: c3a7fb9329a8 be84604f75e6 278253c4c88c 97d509537319 47273ed24b0f 284c8d7613fd b93d2389f6cd
define ptr @f(ptr %a, ptr %b) {
entry:
  %v0 = icmp eq ptr %a, %b
  br i1 %v0, label %b1, label %b2
b1:
  br label %b2
b2:
  %v3 = phi ptr [ %a, %entry ], [ %b, %b1 ]
  ret ptr %v3
}
