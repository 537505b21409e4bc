; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shift by all bits but one becomes a product with the least number, with its nsw
; id: m210093
; issue: llvm/llvm-project#210093
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 3a9a488800ba
; root: 2833dc864a82
define <2 x i2> @f(i2 %a, i2 %b, i2 %c, <2 x i2> %d) {
  %v0 = mul nsw i2 %a, %b
  %v1 = shl nsw i2 %c, 1
  %v2 = insertelement <2 x i2> %d, i2 %v0, i32 0
  %v3 = insertelement <2 x i2> %v2, i2 %v1, i32 1
  ret <2 x i2> %v3
}
