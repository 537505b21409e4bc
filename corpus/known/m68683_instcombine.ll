; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi of undef and another value becomes that value, which may be poison
; id: m68683
; issue: llvm/llvm-project#68683
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: 61b3bec22ae4
; root: cf77e0376fc9 4291e184e882 2b031c78d157 6217a0a7c500 0d191966580f
define i2 @f(i1 %a, i2 %b) {
entry:
  br i1 %a, label %b1, label %b2
b1:
  br label %b2
b2:
  %v2 = phi i2 [ undef, %entry ], [ %b, %b1 ]
  ret i2 %v2
}
