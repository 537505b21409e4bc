; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; logical ors become one reduction by or, without freeze
; id: m114738
; issue: llvm/llvm-project#114738
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: 7ae12e2a456d c9b68877e00c
; root: 3e5653fcb3fd 81c0e5a15a5d
define i1 @f(i2 %a, i2 %b, i2 %c, i2 %d, i2 %e, i2 %f, i2 %g, i2 %h) {
  %v0 = icmp sgt i2 %a, %b
  %v1 = icmp sgt i2 %c, %d
  %v2 = icmp sgt i2 %e, %f
  %v3 = icmp sgt i2 %g, %h
  %v4 = select i1 %v0, i1 true, i1 %v1
  %v5 = select i1 %v2, i1 true, i1 %v3
  %v6 = or i1 %v4, %v5
  ret i1 %v6
}
