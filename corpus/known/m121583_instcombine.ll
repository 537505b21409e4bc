; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select of what two values share becomes the `or disjoint` of them, which may be poison
; id: m121583
; issue: llvm/llvm-project#121583
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 22
; not-in: 13 14 15 16
; signature: 1acf800bb476
; root: bcb2b7453016
define i2 @f(i2 %a, i2 %b, i2 %c) {
  %v0 = and i2 %a, %b
  %v1 = or disjoint i2 %a, %b
  %v2 = xor i2 -1, %c
  %v3 = and i2 %v1, %v2
  %v4 = xor i2 %a, %b
  %v5 = icmp eq i2 %c, %v4
  %v6 = select i1 %v5, i2 %v0, i2 %v3
  ret i2 %v6
}
