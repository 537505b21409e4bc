; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a product of 1 and a value becomes a shift of 0 by it: the operands change sides where the operation does not commute
; id: m185186
; issue: llvm/llvm-project#185186
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 58e183726f24 0f4b20787fb9 a7f5c3a4e8cb
; root: fa76faf09db1 b6f6c6ae65be
define i2 @f(i2 %a, i2 %b, i2 %c, i2 %d, i2 %e) {
  %v0 = mul i2 1, %a
  %v1 = shl i2 %b, %c
  %v2 = icmp sgt i2 %d, %v0
  %v3 = icmp sgt i2 %e, %v1
  %v4 = zext i1 %v2 to i2
  %v5 = zext i1 %v3 to i2
  %v6 = add i2 %v4, %v5
  ret i2 %v6
}
