; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a logarithm that is rounded up becomes a difference from the width with nsw, and the width of i2 is negative
; id: x48
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 8e4b879c1a65 cf3012ed54cb 3b4752f23733 404384bf29f6 4e9354d6ad09 81079c21e712
; root: aa0048a38ad1
declare i2 @llvm.ctpop.i2(i2)
declare i2 @llvm.ctlz.i2(i2, i1 immarg)
define i2 @f(i2 %a) {
  %v0 = call i2 @llvm.ctpop.i2(i2 %a)
  %v1 = icmp ne i2 1, %v0
  %v2 = zext i1 %v1 to i2
  %v3 = call i2 @llvm.ctlz.i2(i2 %a, i1 true)
  %v4 = xor i2 1, %v3
  %v5 = add i2 %v2, %v4
  ret i2 %v5
}
