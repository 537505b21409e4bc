; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the trip count of a shift until zero overflows, and the source comes to that only behind calls
; id: x13
; passes: loop-idiom
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 3288f6b234ad
; root: e6e192b878a5
declare void @use(i3)
define void @f(i3 %a, i3 %b, i3 %c) {
entry:
  br label %loop
loop:
  %v1 = phi i3 [ %a, %entry ], [ %v4, %loop ]
  %v2 = lshr i3 %b, %v1
  %v3 = icmp eq i3 %v2, 0
  %v4 = add i3 %v1, 1
  call void @use(i3 %c)
  br i1 %v3, label %end, label %loop
end:
  ret void
}
