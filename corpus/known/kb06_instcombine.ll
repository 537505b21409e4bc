; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; urem x, -1 becomes a compare and a select that use x twice, without a freeze
; id: kb06
; issue: llvm/llvm-project#55291 llvm/llvm-project#37809
; passes: instcombine
; kind: more-undef
; semantics: llvm-undef
; wrong-in: 13 14
; right-in: 15 16 19 22
; signature: 8028d9cace29
; root: d224072a0dc9
define i4 @f(i4 %x) {
  %r = urem i4 %x, -1
  ret i4 %r
}
