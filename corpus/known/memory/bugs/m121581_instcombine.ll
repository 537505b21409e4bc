; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a comparison of two sums of a pointer and the same number becomes one of the pointers, though the sums may wrap
; id: m121581
; issue: llvm/llvm-project#121581
; passes: instcombine
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: b61cde66e1fb 6f724d54a72f
; root: 3172672a9ea0
define i1 @f(ptr %a, ptr %b) {
  %v0 = getelementptr i8, ptr %a, i8 1
  %v1 = getelementptr i8, ptr %b, i8 1
  %v2 = icmp ugt ptr %v0, %v1
  ret i1 %v2
}
