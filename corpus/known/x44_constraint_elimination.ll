; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the overflow bits of a vector's difference become a single false
; id: x44
; passes: constraint-elimination
; kind: invalid
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 2ceb30bf6777
; root: 607958c6841e
declare <2 x i2> @llvm.umin.v2i2(<2 x i2>, <2 x i2>)
declare { <2 x i2>, <2 x i1> } @llvm.ssub.with.overflow.v2i2(<2 x i2>, <2 x i2>)
define <2 x i1> @f(<2 x i2> %a) {
  %v0 = call <2 x i2> @llvm.umin.v2i2(<2 x i2> zeroinitializer, <2 x i2> %a)
  %v1 = call { <2 x i2>, <2 x i1> } @llvm.ssub.with.overflow.v2i2(<2 x i2> zeroinitializer, <2 x i2> %v0)
  %v2 = extractvalue { <2 x i2>, <2 x i1> } %v1, 1
  ret <2 x i1> %v2
}
