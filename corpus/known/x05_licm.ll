; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a division is hoisted out of a loop in which an inner loop may run for ever before it
; id: x05
; passes: licm
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 180d47f86719
; root: 7ba27b7d9c4d
declare void @use(i4) willreturn nounwind
define void @f(i1 %a, i4 %b, i4 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %a, label %latch, label %inner
latch:
  %d = udiv i4 %b, %c
  call void @use(i4 %d)
  br label %outer
}
