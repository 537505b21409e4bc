; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a lane of undef behind a shuffle of a cast becomes poison
; id: x10
; passes: vector-combine
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 2defc529cd91
; root: d477a6fdc008
define <2 x i2> @f(<2 x i1> %a) {
  %v0 = zext <2 x i1> %a to <2 x i2>
  %v1 = shufflevector <2 x i2> %v0, <2 x i2> undef, <2 x i32> <i32 3, i32 2>
  ret <2 x i2> %v1
}
