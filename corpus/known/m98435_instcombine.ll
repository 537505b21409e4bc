; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a lane that a condition of undef may choose becomes poison
; id: m98435
; issue: llvm/llvm-project#98435
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: 15ac835dffb2
; root: ff6877017406
define <2 x i2> @f(<2 x i2> %a) {
  %v0 = select <2 x i1> <i1 undef, i1 false>, <2 x i2> %a, <2 x i2> <i2 0, i2 0>
  ret <2 x i2> %v0
}
