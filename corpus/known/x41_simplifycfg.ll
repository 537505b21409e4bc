; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a comparison that never holds, beside another of the same value, is taken for one that always does
; id: x41
; passes: simplifycfg
; kind: diverges
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: e4a872d6d6b7 a6b7008c55df
; root: 566c4416fd13 107931fce013 bb8aa18a35fa 9e3fc643e5d3
define void @f(i2 %a) {
entry:
  %v0 = icmp ult i2 %a, 0
  %v1 = icmp eq i2 %a, 0
  br label %b1
b1:
  %v3 = and i1 %v0, %v1
  br i1 %v3, label %b1, label %b2
b2:
  ret void
}
