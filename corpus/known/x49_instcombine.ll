; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shift with the sign put in by hand becomes ashr, though the width that its amount is subtracted from wraps to 0
; id: x49
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: 1279ed217217 2678446cf042
; root: 910743143a6c 22bf4ed6a46b 807bd6bc01d0
define i4 @f(i2 %a, i4 %b) {
  %v0 = sub i2 0, %a
  %v1 = icmp sgt i4 0, %b
  %v2 = zext i2 %a to i4
  %v3 = shl i4 1, %v2
  %v4 = select i1 %v1, i4 %v3, i4 0
  %v5 = zext i2 %v0 to i4
  %v6 = lshr i4 %b, %v5
  %v7 = sub i4 %v6, %v4
  ret i4 %v7
}
