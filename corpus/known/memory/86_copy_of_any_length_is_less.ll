; a copy of a byte less
; EXPECT llvm: wrong
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @src(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  ret void
}
define void @tgt(ptr %p, ptr %q, i64 %n) {
  %m = call i64 @llvm.usub.sat.i64(i64 %n, i64 1)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %m, i1 false)
  ret void
}
declare i64 @llvm.usub.sat.i64(i64, i64)
