; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a freeze moves to the argument of ctpop, and the call keeps a range that a poison argument need not fit
; id: m59888
; issue: llvm/llvm-project#59888
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15
; right-in: 16 19 22
; signature: 479046ea9783
; root: 6b9db339df45
declare i2 @llvm.smin.i2(i2, i2)
declare i2 @llvm.ctpop.i2(i2)
define i2 @f(i2 %a) {
  %v0 = call i2 @llvm.smin.i2(i2 -1, i2 %a)
  %v1 = call i2 @llvm.ctpop.i2(i2 %v0)
  %v2 = freeze i2 %v1
  ret i2 %v2
}
