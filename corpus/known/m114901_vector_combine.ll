; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; two lanes change places when a shift of their comparisons is computed in a vector
; id: m114901
; issue: llvm/llvm-project#114901
; passes: vector-combine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: 270a80d3f128 8f8b6f0163bd
; root: 45bf2a3f8c58 c85bf62dd98c
define i1 @f(<2 x i2> %a) {
  %v0 = extractelement <2 x i2> %a, i32 1
  %v1 = extractelement <2 x i2> %a, i32 0
  %v2 = icmp sgt i2 %v0, 0
  %v3 = icmp sgt i2 %v1, 0
  %v4 = shl i1 %v2, %v3
  ret i1 %v4
}
