; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a division of a vector with one lane inserted out of range becomes a division by poison
; id: x12
; passes: vector-combine
; kind: more-ub
; semantics: llvm
; wrong-in: 14 15 16 19
; right-in: 13 22
; signature: 474e2de41c13
; root: 9a833aca1650
define <1 x i2> @f(i2 %a) {
  %v0 = insertelement <1 x i2> <i2 0>, i2 %a, i2 1
  %v1 = udiv <1 x i2> %v0, <i2 1>
  ret <1 x i2> %v1
}
