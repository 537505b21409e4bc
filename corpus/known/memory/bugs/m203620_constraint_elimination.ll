; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the constant offset of a getelementptr that is only nuw is taken with its sign
; id: m203620
; issue: llvm/llvm-project#203620
; passes: constraint-elimination
; kind: value
; semantics: llvm
; wrong-in: 22
; not-in: 13 14 15 16 19
; signature: 5c48a97e4d29 dc83a39d34aa
; root: f4469141f474
define i1 @f(ptr %p) {
  %q = getelementptr nuw i8, ptr %p, i64 -1
  %c = icmp ugt ptr %q, %p
  ret i1 %c
}
