; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; what an access is computed from by a getelementptr without inbounds is taken for non-null
; id: x25
; passes: correlated-propagation
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: df3a65ca241a
; root: 57ca39f57642 daa9deb9f10c
define i1 @f(ptr %a, i64 %b, i8 %c) {
  %v0 = icmp eq ptr %a, null
  %v1 = getelementptr i8, ptr %a, i64 %b
  store i8 %c, ptr %v1, align 1
  ret i1 %v0
}
