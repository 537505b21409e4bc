; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; GVNHoist keeps inbounds on an address that another one is computed from, because that one has it on both paths
; id: x71
; passes: gvn-hoist
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 26d51d4d76d7 ec45661b79bd 50f288a04667 bff4b46b8ad7
; root: 8ef047cd67c2
define i8 @f(i1 %a, ptr %b, i64 %c) {
entry:
  br i1 %a, label %b1, label %b2
b1:
  %v1 = getelementptr inbounds i8, ptr %b, i64 %c
  %v2 = getelementptr inbounds i8, ptr %v1, i64 1
  %v3 = load i8, ptr %v2, align 1
  ret i8 %v3
b2:
  %v5 = getelementptr i8, ptr %b, i64 %c
  %v6 = getelementptr inbounds i8, ptr %v5, i64 1
  %v7 = load i8, ptr %v6, align 1
  ret i8 %v7
}
