; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a remainder is computed from a quotient with exact
; id: m60748
; issue: llvm/llvm-project#60748
; passes: div-rem-pairs
; kind: calls
; semantics: llvm
; wrong-in: 13 14 15 16
; right-in: 19 22
; signature: 8129f95ac019 edf8845bcd19
; root: 237edd7cd6c7
declare void @use(i2)
define i2 @f(i2 %a, i2 %b) {
  %v0 = urem i2 %a, %b
  %v1 = udiv exact i2 %a, %b
  call void @use(i2 %v0)
  ret i2 %v1
}
