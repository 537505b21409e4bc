; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a power of two that is rounded up loses its select, at widths where the mask is no remainder by the width
; id: m173787
; issue: llvm/llvm-project#173787 llvm/llvm-project#173849
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: a9b4fbbaf177
; root: 2f18be361d7f 0818dbd4d0af 9bab0f4843ad 581d76647a1d 744410e6a035 9bdc4aca6732
declare i6 @llvm.ctlz.i6(i6, i1 immarg)
define i6 @f(i6 %a) {
  %v0 = icmp ne i6 %a, -1
  %v1 = call i6 @llvm.ctlz.i6(i6 %a, i1 false)
  %v2 = sub i6 6, %v1
  %v3 = shl i6 1, %v2
  %v4 = select i1 %v0, i6 %v3, i6 1
  ret i6 %v4
}
