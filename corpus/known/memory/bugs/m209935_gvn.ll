; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; GVN takes one lane out of a stored vector by way of an integer, which any poison lane poisons
; id: m209935
; issue: llvm/llvm-project#209935
; passes: gvn
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 371bd8cd8caf
; root: b19a40d51f71 7c4355f08428 e1c114a073c2
define i8 @f(<2 x i8> %a, ptr %p) {
  store <2 x i8> %a, ptr %p, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}
