; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; InstCombine negates select(c, 0 -nsw x, x) by swapping its arms and keeps the nsw
; id: kb01
; issue: llvm/llvm-project#112666 llvm/llvm-project#114181 llvm/llvm-project#115454 llvm/llvm-project#115456
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16
; right-in: 19 22
; signature: f87b97e79de4 74a5419d22a1
; root: aa0048a38ad1
define i4 @f(i4 %x, i4 %y, i1 %c) {
  %n = sub nsw i4 0, %x
  %s = select i1 %c, i4 %n, i4 %x
  %r = sub i4 %y, %s
  ret i4 %r
}
