; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a frozen sum is taken for the constant that its operand makes it on an edge, though it overflows there
; id: x54
; passes: correlated-propagation
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 1a9cb5d0a372 376b47408ee2 e8026a099939 ebb997a88f42
; root: 4b66554da90e 1a5bef14aa87
define i2 @f(i2 %a) {
entry:
  %v0 = add nsw i2 %a, 1
  %v1 = freeze i2 %v0
  %v2 = icmp eq i2 %a, 1
  br i1 %v2, label %b2, label %b1
b1:
  br label %b2
b2:
  %v5 = phi i2 [ -2, %entry ], [ %v1, %b1 ]
  ret i2 %v5
}
