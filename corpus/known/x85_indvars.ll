; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a counter is replaced by another one with the same start and step, whose sum has nuw and keeps it
; id: x85
; passes: indvars
; kind: calls
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 459938cae332 36fae5493a00 4a474aa0407b
; root: 4c7848c02fdb
declare void @use(i2)
define void @f(i2 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i2 [ %a, %entry ], [ %v4, %b1 ]
  %v2 = phi i2 [ %a, %entry ], [ %v3, %b1 ]
  call void @use(i2 %v2)
  %v3 = add i2 1, %v2
  %v4 = add nuw i2 1, %v1
  br label %b1
}
