; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; trailing zeros, made of leading zeros under a select that has a value for 0, stay poison for 0
; id: x45
; issue: llvm/llvm-project#202388
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 0744f844db27 01e6178fa64a
; root: 0cd196b25590
declare i4 @llvm.ctlz.i4(i4, i1 immarg)
define i4 @f(i4 %a, i1 %b) {
  %v0 = sub i4 0, %a
  %v1 = and i4 %a, %v0
  %v2 = icmp eq i4 0, %a
  %v3 = call i4 @llvm.ctlz.i4(i4 %v1, i1 true)
  %v4 = xor i4 3, %v3
  %v5 = select i1 %v2, i4 4, i4 %v4
  %v6 = select i1 %b, i4 %v5, i4 %v3
  ret i4 %v6
}
