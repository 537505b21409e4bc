; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; sub nuw x, C is decomposed with C sign-extended
; id: kb21
; issue: llvm/llvm-project#76713
; passes: constraint-elimination
; kind: value
; semantics: llvm
; wrong-in: 14 15 16
; right-in: 13 19 22
; signature: 593a867d7c0a
; root: b73c998f5472
define i1 @f(i4 %x) {
  %s = sub nuw i4 %x, -3
  %c = icmp ult i4 %s, %x
  ret i1 %c
}
