; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a call of ctpop or ctlz keeps a range that holds only behind a comparison
; id: m112078
; issue: llvm/llvm-project#112078 llvm/llvm-project#112076
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 22
; not-in: 13 14 15 16
; signature: c3571bfde06a
; root: 6b9db339df45
declare i2 @llvm.ctpop.i2(i2)
define i1 @f(i2 %a) {
  %z = icmp ne i2 %a, 0
  %p = call range(i2 1, -1) i2 @llvm.ctpop.i2(i2 %a)
  %c = icmp ne i2 %p, 1
  %r = select i1 %z, i1 %c, i1 false
  ret i1 %r
}
