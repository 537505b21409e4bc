; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; an array without a 0 is taken for a string with one behind it, which may be read
; id: x19
; passes: instcombine
; kind: more-ub
; semantics: llvm
; wrong-in: 16 19 22
; right-in: 13 14 15
; signature: df8fa21185fd
; root: 8800d679d68b
@a = constant [5 x i8] c"12345"
declare ptr @stpncpy(ptr, ptr, i64)
define ptr @f(ptr %a) {
  %r = call ptr @stpncpy(ptr %a, ptr @a, i64 3)
  ret ptr %r
}
