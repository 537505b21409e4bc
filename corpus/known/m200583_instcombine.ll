; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; leading zeros of a power of two become trailing zeros by an xor, at widths where that is no difference
; id: m200583
; issue: llvm/llvm-project#200583
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 16 19 22
; right-in: 13 14 15
; signature: 3a41775ce912 0dfdc3da51da 4872d10b227a
; root: b223a7a8aea8 2a610d2dbcb5 d670bce88ab8
declare i3 @llvm.ctlz.i3(i3, i1 immarg)
define i3 @f(i3 %a) {
  %v0 = sub i3 0, %a
  %v1 = and i3 %a, %v0
  %v2 = call i3 @llvm.ctlz.i3(i3 %v1, i1 true)
  %v3 = xor i3 2, %v2
  ret i3 %v3
}
