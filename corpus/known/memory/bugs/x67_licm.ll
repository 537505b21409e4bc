; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; LICM loads an i1 before a loop and stores it behind it, of a byte that was stored as i8 and is then another one
; id: x67
; passes: licm
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 34c4a9daa3ce
; root: 877a0313fa76
define i8 @f(i1 %a, i1 %b) {
entry:
  %v0 = alloca i8, align 1
  store i8 -1, ptr %v0, align 1
  br label %b1
b1:
  br i1 %a, label %b2, label %b3
b2:
  %v3 = load i8, ptr %v0, align 1
  ret i8 %v3
b3:
  store i1 %b, ptr %v0, align 1
  br label %b1
}
