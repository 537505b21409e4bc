; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; an address that is computed from an earlier one, which may lie out of bounds, keeps `inbounds`
; id: x17
; passes: slsr
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 13 14 15 16 19
; signature: 767af635e103
; root: decf43d6c8c4
declare void @use(ptr)
define ptr @f(i64 %a, ptr %b, i64 %c) {
  %v0 = shl i64 %a, 1
  %v1 = getelementptr [2 x i8], ptr %b, i64 %a, i64 %c
  call void @use(ptr %v1)
  %v3 = getelementptr inbounds [2 x i8], ptr %b, i64 %v0, i64 %c
  ret ptr %v3
}
