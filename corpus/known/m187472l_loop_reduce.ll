; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The same of LoopStrengthReduce: another counter of the loop is computed from how often it runs
; id: m187472l
; issue: llvm/llvm-project#187472 llvm/llvm-project#217537
; passes: loop-reduce
; kind: value
; semantics: llvm
; wrong-in: 15 16 19 22
; right-in: 13 14
; signature: e94fd98e339b
; root: 462004df1a7c
define i3 @f(i3 %a, i3 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i3 [ %a, %entry ], [ %v6, %b2 ]
  %v2 = phi i3 [ 0, %entry ], [ %v5, %b2 ]
  %v3 = icmp slt i3 %b, %v1
  br i1 %v3, label %b2, label %b3
b2:
  %v5 = add i3 1, %v2
  %v6 = add nsw i3 -3, %v1
  br label %b1
b3:
  ret i3 %v2
}
