; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the same of a select: leading zeros of a power of two become trailing zeros by an xor, at widths where that is no difference
; id: m200583s
; issue: llvm/llvm-project#200583
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: b4ff371712b6 2ab898ce7b27
; root: 821b17db9b00
declare i3 @llvm.ctlz.i3(i3, i1 immarg)
define i3 @f(i3 %a) {
  %v0 = sub i3 0, %a
  %v1 = and i3 %a, %v0
  %v2 = icmp eq i3 %a, 0
  %v3 = call i3 @llvm.ctlz.i3(i3 %v1, i1 false)
  %v4 = xor i3 %v3, 2
  %v5 = select i1 %v2, i3 %v3, i3 %v4
  ret i3 %v5
}
