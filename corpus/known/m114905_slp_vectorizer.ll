; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a condition that stands twice in a chain of logical ands comes first, where it may be poison
; id: m114905
; issue: llvm/llvm-project#114905
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 19
; right-in: 13 14 15 16 22
; signature: cc3e99dd337c 125a96c54d5f
; root: fe293b921a29
define i1 @f(i1 %a, i1 %b, i1 %c) {
  %v0 = add i1 %a, %b
  %v1 = and i1 %v0, %c
  %v2 = select i1 %v0, i1 %c, i1 false
  %v3 = select i1 %v2, i1 %v1, i1 false
  ret i1 %v3
}
