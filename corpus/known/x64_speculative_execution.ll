; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a call is hoisted above the branch to it and keeps noundef, which holds behind the branch alone
; id: x64
; passes: speculative-execution
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 7236bbc50725
; root: 08e4ccbf7937
declare i2 @llvm.abs.i2(i2, i1 immarg)
define void @f(i1 %a, i2 %b) {
entry:
  br i1 %a, label %b1, label %b2
b1:
  %v1 = call noundef i2 @llvm.abs.i2(i2 %b, i1 true)
  br label %b2
b2:
  ret void
}
