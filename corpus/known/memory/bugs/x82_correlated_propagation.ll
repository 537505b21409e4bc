; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a pointer that compares equal to null becomes null where a phi takes it, though it may point into an object
; id: x82
; passes: correlated-propagation
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 238fc728628d
; root: a1824d98db8b
declare void @use_ptr(ptr)
define ptr @f(ptr %a, i8 %b, ptr %c) {
entry:
  %v0 = icmp eq ptr %a, null
  br i1 %v0, label %b1, label %b2
b1:
  %v2 = getelementptr i8, ptr %a, i8 %b
  call void @use_ptr(ptr %v2)
  br label %b2
b2:
  %v5 = phi ptr [ %a, %b1 ], [ %c, %entry ]
  ret ptr %v5
}
