; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a freeze is sunk into a cycle with two entries, and gives another value each time round
; id: x79
; passes: sink
; kind: calls
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 72af8589298f
; root: 79a0a7256163 50095d5078b4
declare void @use(i2)
define void @f(i2 %a, i1 %b) {
entry:
  %v0 = freeze i2 %a
  br i1 %b, label %b2, label %b1
b1:
  br label %b2
b2:
  call void @use(i2 %v0)
  br label %b1
}
