; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; undef becomes the vector constant that it meets, of which a lane is poison
; id: x29
; passes: sccp
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: ece78348c0f1
; root: e81b35615827 905163ba85d4 fd877d1767dc 189d61e6b45b cc8fcb61784c
define <2 x i2> @f(i1 %a) {
  %v0 = select i1 %a, <2 x i2> undef, <2 x i2> <i2 0, i2 poison>
  ret <2 x i2> %v0
}
