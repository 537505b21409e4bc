; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a difference from 0 becomes `and` with 0, where the constant of `and` that does nothing is -1; likewise `mul` and 1
; id: m180456
; issue: llvm/llvm-project#180456
; passes: slp-vectorizer
; kind: value
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: f535529b2531 8dd3d95f6b59 43c515a4377a 78b43ea4bd4b
; root: f471f5f5475c 7cd2b572405e 438c8bfd4bed
define i2 @f(i2 %a, i2 %b, i2 %c, i2 %d, i2 %e, i2 %f, i2 %g) {
  %v0 = sub i2 %a, 0
  %v1 = and i2 %b, %c
  %v2 = xor i2 %d, %v0
  %v3 = and i2 %e, %v2
  %v4 = xor i2 %f, %v1
  %v5 = and i2 %g, %v4
  %v6 = add i2 %v3, %v5
  ret i2 %v6
}
