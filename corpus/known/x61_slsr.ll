; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shift by more than the width is taken for a product with 0, and a sum is computed from it, which is poison
; id: x61
; passes: slsr
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: be1ff6dc335b dbb3b26f03e5 6ac8a5e650d9
; root: 3e6949a4e6f3 cde9e7a30857
declare void @use_i4(i2)
define i2 @f(i2 %a, i2 %b) {
  %v0 = shl i2 %a, -1
  %v1 = add i2 %b, %v0
  call void @use_i4(i2 %v1)
  %v3 = shl i2 %a, 1
  %v4 = add i2 %b, %v3
  ret i2 %v4
}
