; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select by b and not a becomes one by b, which chooses a poison lane where a was chosen
; id: x38
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 4f260ea681e9
; root: 482353e5727d
define <2 x i1> @f(<2 x i1> %a, <2 x i1> %b) {
  %v0 = xor <2 x i1> %a, <i1 true, i1 true>
  %v1 = select <2 x i1> %b, <2 x i1> %v0, <2 x i1> <i1 false, i1 false>
  %v2 = select <2 x i1> %v1, <2 x i1> <i1 true, i1 poison>, <2 x i1> %a
  ret <2 x i1> %v2
}
