; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a power of two that is rounded up loses its select, and what it counts leading zeros of keeps nsw
; id: m125817
; issue: llvm/llvm-project#125817
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: 21aafbdd5038
; root: 0ba3fa5aa216 aa0048a38ad1
declare i4 @llvm.ctlz.i4(i4, i1 immarg)
define i4 @f(i4 %a) {
  %v0 = add nsw i4 1, %a
  %v1 = icmp ne i4 7, %a
  %v2 = call i4 @llvm.ctlz.i4(i4 %v0, i1 false)
  %v3 = sub i4 4, %v2
  %v4 = shl i4 1, %v3
  %v5 = select i1 %v1, i4 %v4, i4 1
  ret i4 %v5
}
