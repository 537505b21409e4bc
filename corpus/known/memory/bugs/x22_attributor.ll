; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a pointer to what lies in front of a byte that is accessed is promised to be dereferenceable itself
; id: x22
; passes: attributor
; kind: more-ub
; semantics: llvm
; wrong-in: 15 16 19 22
; right-in: 13 14
; signature: 5c292fd898a4 b47de0c16219 7ba44be54884
; root: 54238600f237
define ptr @f(i8 %a, ptr %b) {
  store i8 %a, ptr %b, align 1
  %v1 = getelementptr i8, ptr %b, i64 -1
  ret ptr %v1
}
