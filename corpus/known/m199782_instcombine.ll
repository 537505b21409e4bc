; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a lane of a difference is taken from another difference, which has nuw
; id: m199782
; issue: llvm/llvm-project#199782
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 5bacf81d8e7f
; root: bcb2b7453016
declare void @use(<2 x i2>)
define i2 @f(<2 x i2> %a, <2 x i2> %b, <2 x i2> %c) {
  %v0 = shufflevector <2 x i2> %a, <2 x i2> %b, <2 x i32> <i32 0, i32 0>
  %v1 = sub nuw <2 x i2> %v0, %c
  call void @use(<2 x i2> %v1)
  %v3 = sub <2 x i2> %a, %c
  %v4 = extractelement <2 x i2> %v3, i32 0
  ret i2 %v4
}
