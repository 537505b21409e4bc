; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; undef becomes the constant expression that it meets, which is poison
; id: x18
; passes: sccp
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: a786e70f1162
; root: c8a1847dd277
@a = external global [2 x i8]
define i2 @f(i1 %a) {
  %v0 = getelementptr inbounds i8, ptr @a, i64 -1
  %v1 = ptrtoint ptr %v0 to i2
  %v2 = select i1 %a, i2 %v1, i2 undef
  ret i2 %v2
}
