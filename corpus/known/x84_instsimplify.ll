; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shift by a select is undef for one arm, and becomes poison, which it is for the other
; id: x84
; passes: instsimplify
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: ab0f12c85dff a45903c9e358 159c04b9c97f
; root: 1a3b7389024f 85af913fd51b 5e40131b09e9
define i8 @f(i8 %a, i1 %b) {
  %v0 = and i8 %a, -8
  %v1 = select i1 %b, i8 %v0, i8 undef
  %v2 = shl i8 undef, %v1
  ret i8 %v2
}
