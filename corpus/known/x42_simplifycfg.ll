; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a switch becomes a product and a sum with nsw, of an index that is not the value that was switched on
; id: x42
; passes: simplifycfg<switch-to-lookup>
; data-layout: n2:4:8:16:32:64
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: 63ea4a8b7cb0 0b1737ad782d
; root: f95b7b2e8e70 f0f8a82a2682
define i2 @f(i2 %a) {
entry:
  switch i2 %a, label %b1 [
    i2 0, label %b2
    i2 1, label %b3
    i2 -1, label %b4
  ]
b1:
  br label %b4
b2:
  br label %b4
b3:
  br label %b4
b4:
  %v4 = phi i2 [ -1, %entry ], [ -2, %b1 ], [ 0, %b2 ], [ 1, %b3 ]
  ret i2 %v4
}
