; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi of undef and another value becomes that value, which may be poison
; id: x24
; issue: llvm/llvm-project#189526
; passes: simplifycfg
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 38206d562eba 48721f3998d8 2e298dd4529f 33a4ae4f9217 aaae762d6d32 128c5198be0f
; root: f14b15d11dc6 04c1787c9b78 dd3bc29fee6f 5071fd37f66e 25b29be06142 edc4bbe76200 2b052f67a184
define i2 @f(i1 %a, i2 %b) {
entry:
  br i1 %a, label %b1, label %b3
b1:
  br label %b2
b2:
  br label %b3
b3:
  %v3 = phi i2 [ undef, %entry ], [ %b, %b2 ]
  ret i2 %v3
}
