; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; mul i1 is given nsw although -1 * -1 overflows
; id: kb19
; issue: llvm/llvm-project#59301
; passes: correlated-propagation
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15
; right-in: 16 19 22
; signature: 9de068585da8
; root: b3a94deb8532
define i1 @f(i1 %x) {
  %r = mul i1 %x, true
  ret i1 %r
}
