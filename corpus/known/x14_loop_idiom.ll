; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a loop that shifts until a bit is set gets a trip count, also where no bit ever is
; id: x14
; issue: llvm/llvm-project#84063
; passes: loop-idiom
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 70859351e14c
; root: 269c2a1f18fb
define void @f(i2 %a) {
entry:
  br label %loop
loop:
  %v1 = phi i2 [ %a, %entry ], [ %v4, %loop ]
  %v2 = and i2 %v1, 1
  %v3 = icmp eq i2 %v2, 0
  %v4 = shl i2 %v1, 1
  br i1 %v3, label %loop, label %end
end:
  ret void
}
