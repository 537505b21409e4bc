; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; SROA makes an integer of an alloca that holds a vector: one poison lane poisons all
; id: x26
; passes: sroa
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 2987342219fa
; root: e3955807e8ba 36571e8b3ddf
define i8 @f(<2 x i8> %a) {
  %v0 = alloca i16, align 2
  %v1 = load i16, ptr %v0, align 1
  store <2 x i8> %a, ptr %v0, align 1
  %v3 = load i8, ptr %v0, align 1
  ret i8 %v3
}
