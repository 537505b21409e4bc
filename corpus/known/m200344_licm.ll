; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a comparison keeps samesign when the sum in it goes to its other side
; id: m200344
; issue: llvm/llvm-project#200344
; passes: licm
; kind: more-ub
; semantics: llvm
; wrong-in: 22
; not-in: 13 14 15 16 19
; signature: 0891dea77293
; root: 8d0c89b01d2b
define void @f(i2 %a, i2 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i2 [ %a, %entry ], [ %b, %b1 ]
  %v2 = add nsw i2 %v1, 1
  %v3 = icmp samesign sgt i2 %v2, 0
  br i1 %v3, label %b1, label %b2
b2:
  ret void
}
