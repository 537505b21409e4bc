; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; NaryReassociate reuses a mul nsw that only SCEV says is the same
; id: kb27
; issue: llvm/llvm-project#98156
; passes: nary-reassociate
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16
; right-in: 19 22
; signature: 57c8c57bac3c
; root: ef909f841d3e
define i4 @f(i4 %a, i4 %b, i4 %c, i1 %k) {
  %ab = mul nsw i4 %a, %b
  %ac = mul i4 %a, %c
  %m = mul i4 %ac, %b
  %r = select i1 %k, i4 %ab, i4 %m
  ret i4 %r
}
