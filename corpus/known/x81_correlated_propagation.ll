; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a signed comparison becomes an unsigned one by the range of a phi that may also be undef, which is any number
; id: x81
; passes: correlated-propagation
; kind: more-undef
; semantics: llvm
; wrong-in: 14 15 16 19
; right-in: 13 22
; signature: 0a85b1317770 405ef76bd723 cbdb6e8924e7 cdb72eb9471a ecca76e80774
; root: 3f1c63d6ac75
define i1 @f(i2 %a, i2 %b, i1 %c) {
entry:
  %v0 = icmp sgt i2 %a, -1
  br i1 %v0, label %b1, label %b5
b1:
  switch i2 %b, label %b2 [
    i2 0, label %b3
    i2 1, label %b4
  ]
b2:
  br label %b4
b3:
  br label %b4
b4:
  %v5 = phi i2 [ 0, %b1 ], [ undef, %b2 ], [ 1, %b3 ]
  %v6 = icmp sge i2 %a, %v5
  ret i1 %v6
b5:
  ret i1 %c
}
