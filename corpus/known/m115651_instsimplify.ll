; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a minimum is left out because its operand is never larger, though a select may choose undef for that
; id: m115651
; issue: llvm/llvm-project#115651
; passes: instsimplify
; kind: more-undef
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 87fe5dc45425 444c97c72ada 8303a92be4de 7d1b37b9ff74 96ddda80a195 49b0aae5dec1 c079a9d62f0b b486e7b46faf
; root: 89c9047b7802 391cf72b0ea3 e767d543f8c9 8746bb2dd4ca 9d9ea34c993c c75eb0fb23ab 375c98cbf9fe
declare i4 @llvm.umin.i4(i4, i4)
define i4 @f(i4 %a, i1 %b) {
  %v0 = lshr i4 %a, 3
  %v1 = select i1 %b, i4 undef, i4 %v0
  %v2 = call i4 @llvm.umin.i4(i4 1, i4 %v1)
  ret i4 %v2
}
