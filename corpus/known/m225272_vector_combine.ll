; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shift by 0 that becomes narrower is its operand, which gets the exact of the shift; where that is an argument, what is no instruction is written to
; id: m225272
; issue: llvm/llvm-project#225272
; passes: vector-combine
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: c96388a80653 1969f772f9e4
; root: 6ad92ab522b2 d02c0af92dc6
define <2 x i8> @f(<2 x i4> %a, <2 x i4> %b) {
  %x = lshr <2 x i4> %a, %b
  %z = zext <2 x i4> %x to <2 x i8>
  %r = lshr exact <2 x i8> %z, zeroinitializer
  ret <2 x i8> %r
}
