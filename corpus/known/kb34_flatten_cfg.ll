; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; two branches to the same block become one on `or`, where only a logical or is right
; id: kb34
; issue: llvm/llvm-project#217313
; passes: flatten-cfg
; kind: more-ub
; semantics: llvm
; wrong-in: 14 15 16 19 22
; not-in: 13
; signature: 9fbce342cbbc
; root: 6e958b76a71e
declare void @use()
define void @f(i1 %a, i1 %b) {
entry:
  br i1 %a, label %t, label %n
n:
  br i1 %b, label %t, label %e
t:
  call void @use()
  br label %e
e:
  ret void
}
