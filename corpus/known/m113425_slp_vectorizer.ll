; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; undef as a factor is replaced by a lane of another vector, which may be poison
; id: m113425
; issue: llvm/llvm-project#113425
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: dad020f4db8b
; root: 8cbb46f1eb40
define <2 x i2> @f(<2 x i2> %a, i2 %b, i2 %c, <2 x i2> %d) {
  %v0 = extractelement <2 x i2> %a, i32 0
  %v1 = mul i2 %b, undef
  %v2 = mul i2 %c, %v0
  %v3 = insertelement <2 x i2> %d, i2 %v1, i32 0
  %v4 = insertelement <2 x i2> %v3, i2 %v2, i32 1
  ret <2 x i2> %v4
}
