; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select in a loop becomes a branch on its whole condition, and only the part of it that is hoisted is frozen
; id: x76
; passes: loop-mssa(simple-loop-unswitch<nontrivial>)
; passes-13: loop(simple-loop-unswitch)
; llvm-arg-13: -enable-nontrivial-unswitch
; kind: more-ub
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 0ac32b9a52ab 9c244a2fb5fd 4e0d55067bb9
; root: 981aef162e22 f211967ec77a
define void @f(i4 %a, i4 %b, i1 %c, i4 %d, i4 %e) {
entry:
  br label %b1
b1:
  %v1 = icmp eq i4 %a, %b
  %v2 = or i1 %c, %v1
  %v3 = select i1 %v2, i4 %d, i4 %e
  br label %b1
}
