; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a quotient by lanes that a select chooses is taken for poison because one lane of one arm is 0
; id: m114191
; issue: llvm/llvm-project#114191
; passes: instsimplify
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: 1218dc904938 1b2ec5ce6674 74482e330eed
; root: 30a0a3034982 a7e491ed6c66 56b057e19f26 5db11c3a73fc
define <2 x i2> @f(<2 x i1> %a, <2 x i2> %b) {
  %v0 = select <2 x i1> %a, <2 x i2> %b, <2 x i2> <i2 1, i2 0>
  %v1 = sdiv <2 x i2> %b, %v0
  ret <2 x i2> %v1
}
