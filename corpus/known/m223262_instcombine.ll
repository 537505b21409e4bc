; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; two rotations that are compared become one by the difference of their amounts, where the width is no power of two
; id: m223262
; issue: llvm/llvm-project#223262
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 4d4e8bc9d824
; root: 425c79ce0727 779748f906cb
declare i3 @llvm.fshr.i3(i3, i3, i3)
define i1 @f(i3 %a, i3 %b, i3 %c, i3 %d) {
  %v0 = call i3 @llvm.fshr.i3(i3 %a, i3 %a, i3 %b)
  %v1 = call i3 @llvm.fshr.i3(i3 %c, i3 %c, i3 %d)
  %v2 = icmp eq i3 %v0, %v1
  ret i1 %v2
}
