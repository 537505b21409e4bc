; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; two phis are taken for equal that get the same values from different predecessors
; id: x32
; passes: newgvn
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: b6986bd22ffb 0f6a1eeba3fc
; root: e7d1b93ec940
define i2 @f(i2 %a) {
entry:
  br label %loop
loop:
  %v1 = phi i2 [ 0, %entry ], [ %a, %loop ], [ %v1, %latch ]
  %v2 = phi i2 [ 0, %entry ], [ %v2, %loop ], [ %a, %latch ]
  switch i2 %v1, label %latch [
    i2 0, label %loop
    i2 1, label %end
  ]
latch:
  br label %loop
end:
  ret i2 %v2
}
