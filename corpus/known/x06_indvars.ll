; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; an inner loop that may run for ever is skipped, because the outer one is known to end
; id: x06
; issue: llvm/llvm-project#183906
; passes: indvars
; kind: returns
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 38277bf04a58
; root: bb83ea0fe883 9e19cf51a92c
define void @f(i1 %a) {
entry:
  br label %outer
outer:
  %x = phi i1 [ false, %entry ], [ true, %inner ]
  br i1 %x, label %e, label %inner
inner:
  br i1 %a, label %outer, label %inner
e:
  ret void
}
