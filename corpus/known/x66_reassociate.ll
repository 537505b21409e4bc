; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a factor is taken out of a product that keeps its nuw (or nsw) for what is left of it, though the factor may be 0
; id: x66
; passes: reassociate
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 1e8e064a446b 80f5e84d08d6
; root: 37b70d70cba4
define i2 @f(i2 %a, i2 %b, i2 %c, i2 %d) {
  %v0 = mul i2 %a, %b
  %v1 = shl i2 %a, 1
  %v2 = mul i2 %c, %v1
  %v3 = mul nuw i2 %d, %v2
  %v4 = add i2 %v0, %v3
  ret i2 %v4
}
