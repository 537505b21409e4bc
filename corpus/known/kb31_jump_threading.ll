; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select on a phi is unfolded to a branch on a value that may be poison
; id: kb31
; issue: llvm/llvm-project#45301
; passes: jump-threading
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14
; right-in: 15 16 19 22
; signature: 8d68a3a51ded
; root: cd8a18b7d1fa
define i4 @f(i1 %u, i4 %y, i4 %z, i4 %j) {
entry:
  br i1 %u, label %e, label %b
b:
  %p = icmp sge i4 %y, %z
  br label %e
e:
  %c = phi i1 [ false, %entry ], [ %p, %b ]
  %a = add nsw i4 %j, 2
  %r = select i1 %c, i4 %j, i4 %a
  ret i4 %r
}
