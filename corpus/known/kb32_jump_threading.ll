; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select is unfolded to a branch on its condition without a freeze
; id: kb32
; issue: llvm/llvm-project#199408 llvm/llvm-project#199702 llvm/llvm-project#199736
; passes: jump-threading
; kind: more-ub
; semantics: llvm
; wrong-in: 15 16 19 22
; right-in: 13 14
; signature: 4fee55698930 58ede3387fa7
; root: cd8a18b7d1fa
define i4 @f(i1 %a, i1 %c, i4 %x) {
entry:
  br i1 %a, label %p1, label %p2
p1:
  %s = select i1 %c, i4 1, i4 %x
  br label %m
p2:
  br label %m
m:
  %v = phi i4 [ %s, %p1 ], [ 2, %p2 ]
  %k = icmp eq i4 %v, 1
  %g = freeze i1 %k
  br i1 %g, label %t, label %e
t:
  ret i4 5
e:
  ret i4 6
}
