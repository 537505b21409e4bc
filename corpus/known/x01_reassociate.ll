; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shift by 0 of i1 becomes a multiplication by -1 that keeps nsw
; id: x01
; passes: reassociate
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 7d55b42e9923
; root: c394cc25b34d
define i1 @f(i1 %x, i1 %y) {
  %v = mul i1 %x, %y
  %r = shl nuw nsw i1 %v, 0
  ret i1 %r
}
