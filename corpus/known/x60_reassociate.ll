; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; two values of freeze are taken for one, so that one and the complement of the other make 0
; id: x60
; passes: reassociate
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 0abe74d040e9 3a69ef635a57
; root: e894aff41e2b 431edbdbf38f
declare void @use_i4(i2)
define i2 @f(i2 %a) {
  %v0 = freeze i2 %a
  %v1 = xor i2 -1, %v0
  %v2 = freeze i2 %a
  %v3 = and i2 %v1, %v2
  call void @use_i4(i2 %v2)
  call void @use_i4(i2 %v0)
  ret i2 %v3
}
