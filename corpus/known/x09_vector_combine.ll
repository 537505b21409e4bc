; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; `or disjoint` of lanes is made of the integer that holds them, where one lane spoils all
; id: x09
; issue: llvm/llvm-project#199783 llvm/llvm-project#222554
; passes: vector-combine
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 19
; not-in: 13 14 15 16
; signature: 81739e15c9ad
; root: 12f81c280255
define <2 x i2> @f(i4 %a) {
  %v0 = bitcast i4 %a to <2 x i2>
  %v1 = or disjoint <2 x i2> %v0, <i2 1, i2 1>
  ret <2 x i2> %v1
}
