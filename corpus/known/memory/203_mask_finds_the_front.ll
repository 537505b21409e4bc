; A masked pointer is based on the same object
; EXPECT llvm: refines
define i8 @src() {
  %l = alloca [8 x i8], align 8
  store i8 7, ptr %l, align 1
  %q = getelementptr i8, ptr %l, i64 3
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %q, i64 -8)
  %v = load i8, ptr %a, align 1
  ret i8 %v
}
define i8 @tgt() {
  ret i8 7
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
