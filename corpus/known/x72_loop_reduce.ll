; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a counter is computed from another one whose nuw (or nsw) stays, and this one has none
; id: x72
; passes: loop-reduce
; data-layout: n8:16:32:64
; kind: calls
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 1be3f939fd38 067b094558b1 e019cc6d1c76 7fd1feca5e80
; root: adfd8ab4e8f7
declare void @use(i8)
define void @f(i8 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i8 [ %a, %entry ], [ %v6, %b1 ]
  %v2 = phi i8 [ 0, %entry ], [ %v5, %b1 ]
  call void @use(i8 %v2)
  call void @use(i8 %v1)
  %v5 = add nuw i8 %v2, 64
  %v6 = add i8 %v1, 64
  br label %b1
}
