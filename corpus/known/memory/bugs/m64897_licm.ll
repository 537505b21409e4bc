; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a load is taken out of a loop past a store that overlaps it
; id: m64897
; issue: llvm/llvm-project#64897
; passes: licm
; kind: more-ub
; semantics: llvm
; wrong-in: 15 16
; right-in: 13 14 19 22
; signature: 6b7541fba13d
; root: d83eeb7212b3
declare void @use(i8)
define void @f(i32 %a, i32 %b, i64 %c, i8 %d, i1 %e) {
entry:
  %v0 = alloca [16 x i8], align 8
  %v1 = getelementptr i8, ptr %v0, i64 8
  %v2 = getelementptr i8, ptr %v0, i64 8
  %v3 = getelementptr i8, ptr %v0, i64 12
  br label %b1
b1:
  store i32 %a, ptr %v1, align 4
  store i32 %b, ptr %v2, align 4
  store i64 %c, ptr %v2, align 4
  %v8 = load i8, ptr %v3, align 1
  call void @use(i8 %v8)
  store i8 %d, ptr %v3, align 1
  br i1 %e, label %b1, label %b2
b2:
  ret void
}
