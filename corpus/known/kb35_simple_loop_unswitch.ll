; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; non-trivial unswitching hoists a branch on poison out of a loop that may not run
; id: kb35
; issue: llvm/llvm-project#50387 llvm/llvm-project#45489
; passes: loop-mssa(simple-loop-unswitch<nontrivial>)
; passes-13: loop(simple-loop-unswitch)
; llvm-arg-13: -enable-nontrivial-unswitch
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14
; right-in: 15 16 19 22
; signature: cd09b5d915fb
; root: 01503330cc5a
declare void @a()
declare void @b()
define void @f(i1 %c, i4 %n) {
entry:
  br label %h
h:
  %i = phi i4 [ 0, %entry ], [ %j, %l ]
  %k = icmp ult i4 %i, %n
  br i1 %k, label %body, label %e
body:
  br i1 %c, label %t, label %u
t:
  call void @a()
  br label %l
u:
  call void @b()
  br label %l
l:
  %j = add i4 %i, 1
  br label %h
e:
  ret void
}
