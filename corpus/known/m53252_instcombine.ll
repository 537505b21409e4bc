; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; selects that look like a clamp take the value of the wrong end
; id: m53252
; issue: llvm/llvm-project#53252
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 14
; right-in: 13 15 16 19 22
; signature: feea338ea5f2 ecd77b1625a3
; root: 263b952cf311 a57dd26d6df1
define i3 @f(i3 %a, i3 %b, i3 %c) {
  %v0 = icmp sgt i3 0, %a
  %v1 = icmp ugt i3 2, %a
  %v2 = xor i1 true, %v1
  %v3 = select i1 %v0, i3 %b, i3 %c
  %v4 = select i1 %v2, i3 %a, i3 %v3
  ret i3 %v4
}
