; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a logarithm that is rounded up is computed anew, at widths where its xor is no difference
; id: x46
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: a7869655a73d c90a138c8e7d 1fd1e2bb5b42 2a4dd5c8d414
; root: 204bf15d2d9c fca86af449c1 64f100744c8b
declare i3 @llvm.ctpop.i3(i3)
declare i3 @llvm.ctlz.i3(i3, i1 immarg)
define i3 @f(i3 %a) {
  %v0 = call i3 @llvm.ctpop.i3(i3 %a)
  %v1 = icmp ne i3 1, %v0
  %v2 = zext i1 %v1 to i3
  %v3 = call i3 @llvm.ctlz.i3(i3 %a, i1 true)
  %v4 = xor i3 2, %v3
  %v5 = add i3 %v2, %v4
  ret i3 %v5
}
