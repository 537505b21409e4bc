; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shuffle of two shuffles with one lane takes it from the wrong one of them
; id: x43
; passes: vector-combine
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: b62e1e289bd4
; root: 993e26f13bde
define <1 x i2> @f(<1 x i2> %a, <1 x i2> %b) {
  %v0 = shufflevector <1 x i2> %a, <1 x i2> poison, <1 x i32> <i32 0>
  %v1 = shufflevector <1 x i2> %b, <1 x i2> poison, <1 x i32> <i32 0>
  %v2 = shufflevector <1 x i2> %v0, <1 x i2> %v1, <1 x i32> <i32 1>
  ret <1 x i2> %v2
}
