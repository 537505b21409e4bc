; a byte behind a memset is not written
; EXPECT llvm: wrong
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define i8 @src(ptr %p, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %p, i8 7, i64 %n, i1 false)
  %q = getelementptr i8, ptr %p, i64 5
  %v = load i8, ptr %q
  ret i8 %v
}
define i8 @tgt(ptr %p, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %p, i8 7, i64 %n, i1 false)
  ret i8 7
}
