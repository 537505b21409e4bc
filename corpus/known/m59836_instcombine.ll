; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the square of a truncated value is taken to overflow where the value itself would
; id: m59836
; issue: llvm/llvm-project#59836
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 13 14 15
; right-in: 16 19 22
; signature: f475dfafdf4f
; root: 462ba72c6527
define i1 @f(i4 %x) {
  %r = zext i4 %x to i8
  %t = trunc i8 %r to i6
  %n = mul i6 %t, %t
  %l = zext i6 %n to i8
  %o = icmp ule i8 %l, 15
  ret i1 %o
}
