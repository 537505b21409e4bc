; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a pointer that compares equal to null becomes null, though it may point into an object
; id: m220206
; issue: llvm/llvm-project#220206
; passes: gvn
; kind: calls
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: bb316e2dd9c6 541ef142cfb5
; root: a8588cb636d5
declare void @use_ptr(ptr)

define void @f(ptr %a, i8 %b) {
entry:
  %v0 = icmp eq ptr null, %a
  br i1 %v0, label %b1, label %b2
b1:
  %v2 = getelementptr i8, ptr %a, i8 %b
  call void @use_ptr(ptr %v2)
  ret void
b2:
  ret void
}
