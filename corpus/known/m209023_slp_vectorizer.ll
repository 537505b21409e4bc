; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a difference becomes the sum with the negated constant, with its nuw
; id: m209023
; issue: llvm/llvm-project#209023
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 22412298f046
; root: d6a0a123b8c9
define <2 x i2> @f(i2 %a, i2 %b, i2 %c, <2 x i2> %d) {
  %v0 = add nuw i2 %a, %b
  %v1 = sub nuw i2 %c, 1
  %v2 = insertelement <2 x i2> %d, i2 %v0, i32 0
  %v3 = insertelement <2 x i2> %v2, i2 %v1, i32 1
  ret <2 x i2> %v3
}
