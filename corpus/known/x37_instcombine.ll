; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select of a sum becomes smax of it, which takes the lane of the sum that is poison where it was not chosen
; id: x37
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 8b87c7868dc8 332e66f8151d
; root: 396895e0ddf4
define <2 x i2> @f(<2 x i2> %a, <2 x i2> %b) {
  %v0 = add nsw <2 x i2> <i2 poison, i2 1>, %a
  %v1 = icmp sge <2 x i2> %a, %b
  %v2 = select <2 x i1> %v1, <2 x i2> %v0, <2 x i2> %b
  ret <2 x i2> %v2
}
