; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a sum with the least number becomes the difference from it, with its nsw
; id: m206474
; issue: llvm/llvm-project#206474
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: b41ba9eed727
; root: 45edd6560034
define <2 x i2> @f(i2 %a, i2 %b, i2 %c, <2 x i2> %d) {
  %v0 = add nsw i2 -2, %a
  %v1 = sub nsw i2 %b, %c
  %v2 = insertelement <2 x i2> %d, i2 %v0, i32 0
  %v3 = insertelement <2 x i2> %v2, i2 %v1, i32 1
  ret <2 x i2> %v3
}
