; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a value that is a condition of a chain of logical `and` or `or`, and only chosen in another, is taken for one that is not poison
; id: m173796
; issue: llvm/llvm-project#173796
; passes: slp-vectorizer
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 213b099cd7ac
; root: fe293b921a29
define i1 @f(i1 %a, i1 %b, i1 %c) {
  %v0 = select i1 %a, i1 true, i1 %b
  %v1 = select i1 %b, i1 true, i1 %c
  %v2 = select i1 %v0, i1 true, i1 %v1
  ret i1 %v2
}
