; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Mem2reg takes the only store, of poison, for what every path has stored
; id: m97702
; issue: llvm/llvm-project#97702
; passes: mem2reg
; kind: more-poison
; semantics: llvm
; wrong-in: 14 15 16
; right-in: 19 22
; signature: a5a57c9d5837
; root: b72fecdb9d48 11b7ea8dbd7e 0e980c9228ef
define i8 @f(i1 %c) {
  %a = alloca i8, align 1
  br i1 %c, label %then, label %join
then:
  store i8 poison, ptr %a, align 1
  br label %join
join:
  %v = load i8, ptr %a, align 1
  ret i8 %v
}
