; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; undef that a select may choose is left out of the range by which a sum gets nuw and nsw
; id: m114902
; issue: llvm/llvm-project#114902
; passes: correlated-propagation
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: fb0e8ff5b35c e0064385e95c
; root: 112e04a60b54 4c9774c923ae cc8fcb61784c
define i2 @f(i1 %a, i2 %b) {
  %v0 = select i1 %a, i2 undef, i2 0
  %v1 = add i2 %b, %v0
  ret i2 %v1
}
