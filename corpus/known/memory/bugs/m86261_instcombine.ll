; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; InstCombine drops a store of undef: what was poison there would have become any number, and stays poison
; id: m86261
; issue: llvm/llvm-project#86261
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 5d257e587907 0c5e4e0f6ba3 09d6fb20badc
; root: 73e04678b64a
define void @f(ptr %p) {
  store i8 undef, ptr %p, align 1
  ret void
}
