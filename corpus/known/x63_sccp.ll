; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; undef that a condition is true for is taken for no undef behind it, though the condition is true for every value
; id: x63
; passes: sccp
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 1a5a4dfcaf8f abb8af0cff8e 536f1c65d6d4 5d01026c68ec
; root: 06f8e68165d9 120bb2838d66 8b13a8164f89 c1f1eee9e781 1af5092360ed f81a90ef7b6c cb20cb2ce35a
define i3 @f(i2 %a, i1 %b, i2 %c, i3 %d) {
entry:
  %v0 = lshr i2 %a, 1
  %v1 = select i1 %b, i2 undef, i2 %v0
  %v2 = icmp uge i2 %v1, %c
  br i1 %v2, label %b1, label %b2
b1:
  %v4 = sext i2 %v1 to i3
  ret i3 %v4
b2:
  ret i3 %d
}
