; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a division by the greater of 1 and a power of two that may be shifted out becomes a shift by the width
; id: m62221
; issue: llvm/llvm-project#62221
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 15
; right-in: 13 14 16 19 22
; signature: 039e6a8c117a dac8f97ed785
; root: 25651dcbfcc8 91f6e76483f9
declare i2 @llvm.umax.i2(i2, i2)
define i2 @f(i2 %a, i2 %b) {
  %v0 = shl i2 -2, %a
  %v1 = call i2 @llvm.umax.i2(i2 1, i2 %v0)
  %v2 = udiv i2 %b, %v1
  ret i2 %v2
}
