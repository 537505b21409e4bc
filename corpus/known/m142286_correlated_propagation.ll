; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the default of a switch in nested loops is taken for unreachable
; id: m142286
; issue: llvm/llvm-project#142286
; passes: correlated-propagation
; kind: more-ub
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: 5c16ea0833d3
; root: e4a31bb473fc
define void @f() {
entry:
  br label %b1
b1:
  %v1 = phi i3 [ -1, %entry ], [ 0, %b3 ]
  br label %b2
b2:
  br label %b3
b3:
  switch i3 %v1, label %b4 [ i3 0, label %b3 i3 1, label %b2 i3 2, label %b1 ]
b4:
  ret void
}
