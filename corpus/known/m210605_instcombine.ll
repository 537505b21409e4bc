; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a funnel shift by 0 in one lane becomes a shift by more than the width there
; id: m210605
; issue: llvm/llvm-project#210605
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 6b23d88d3abd
; root: ab62c1d4ede6
declare <2 x i2> @llvm.fshl.v2i2(<2 x i2>, <2 x i2>, <2 x i2>)
define <2 x i2> @f(<2 x i2> %a) {
  %v0 = call <2 x i2> @llvm.fshl.v2i2(<2 x i2> <i2 0, i2 0>, <2 x i2> %a, <2 x i2> <i2 1, i2 0>)
  ret <2 x i2> %v0
}
