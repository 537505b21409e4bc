; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The same of SCCP: a pointer that compares equal to null becomes null
; id: m220206s
; issue: llvm/llvm-project#220206
; passes: sccp
; kind: calls
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 4247c4ea77b9 292b05a77ad5
; root: 2a8a75123ded
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
