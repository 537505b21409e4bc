; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a sum becomes an earlier one and what they differ by, which may be poison where the sum did not depend on it
; id: x30
; passes: slsr
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 6adde0ce6506
; root: 3119ee6cf00b
define i1 @f(i1 %a, i1 %b) {
  %v0 = add i1 %a, %b
  %v1 = select i1 false, i1 %v0, i1 false
  %v2 = add i1 %a, %v1
  ret i1 %v2
}
