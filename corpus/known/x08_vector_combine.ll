; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; what is computed already is given the flags of the operation that it stands for
; id: x08
; issue: llvm/llvm-project#192607
; passes: vector-combine
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 56e7b38d8241 3abb2bdfddac
; root: 63ccd7dab691
define <2 x i2> @f(i2 %a) {
  %v0 = insertelement <2 x i2> zeroinitializer, i2 %a, i32 0
  %v1 = add <2 x i2> %v0, <i2 1, i2 1>
  %v2 = mul nsw <2 x i2> %v1, <i2 1, i2 1>
  ret <2 x i2> %v2
}
