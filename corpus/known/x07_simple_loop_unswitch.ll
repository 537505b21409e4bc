; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; non-trivial unswitching hoists a branch on poison, without freeze, out of a loop in which an inner loop may run for ever before it
; id: x07
; passes: loop-mssa(simple-loop-unswitch<nontrivial>)
; passes-13: loop(simple-loop-unswitch)
; llvm-arg-13: -enable-nontrivial-unswitch
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 7f6c4de3a1ba
; root: 01503330cc5a
define void @f(i1 %a, i1 %b, i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %x = phi i1 [ %a, %outer ], [ %b, %inner ]
  br i1 %x, label %latch, label %inner
latch:
  br i1 %c, label %outer, label %e
e:
  ret void
}
