; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; srem (shl nsw x, W-1), (mul nsw x, C): the shift is taken for a multiplication by INT_MIN that does not overflow
; id: kb13
; issue: llvm/llvm-project#121584
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: 35264ff6cb68
; root: d2fb2a0e96c8
define i4 @f(i4 %x) {
  %a = mul nsw i4 %x, 7
  %b = shl nsw i4 %x, 3
  %r = srem i4 %b, %a
  ret i4 %r
}
