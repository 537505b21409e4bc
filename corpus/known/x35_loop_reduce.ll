; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a counter is computed back from its next value, which takes the step where the loop did not need it yet
; id: x35
; issue: llvm/llvm-project#174200
; passes: loop-reduce
; data-layout: n8:16:32:64
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 074f61b297ad
; root: 41a4fb01eb65
define void @f(i8 %a, i8 %b, i8 %c) {
entry:
  br label %loop
loop:
  %v1 = phi i8 [ %a, %entry ], [ %v2, %loop ]
  %v2 = add i8 %v1, %b
  %v3 = icmp ugt i8 %v1, %c
  br i1 %v3, label %loop, label %end
end:
  ret void
}
