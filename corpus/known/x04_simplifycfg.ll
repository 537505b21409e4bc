; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a division that is itself the condition of a branch is speculated with the branch
; id: x04
; passes: simplifycfg
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 704418a97b12 3d6f82e032a7
; root: 227b1ebaec69
define void @f(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %a, label %t, label %u
t:
  %d = udiv i1 %b, %c
  br i1 %d, label %u, label %e
u:
  br label %e
e:
  ret void
}
