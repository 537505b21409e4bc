; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shift that may be poison is no longer guarded by a select
; id: m47012
; issue: llvm/llvm-project#47012
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14
; right-in: 15 16 19 22
; signature: 81219713d437
; root: cf77e0376fc9
define i2 @f(i2 %a, i2 %b, i2 %c) {
  %v0 = lshr i2 %a, %b
  %v1 = and i2 1, %v0
  %v2 = and i2 %a, %c
  %v3 = icmp eq i2 0, %v2
  %v4 = select i1 %v3, i2 %v1, i2 1
  ret i2 %v4
}
