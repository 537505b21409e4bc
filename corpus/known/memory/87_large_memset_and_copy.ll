; a copy of 100,000 zeros
; EXPECT llvm: refines
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @src(ptr noalias %p, ptr noalias %q) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 100000, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 100000, i1 false)
  ret void
}
define void @tgt(ptr noalias %p, ptr noalias %q) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 100000, i1 false)
  call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 100000, i1 false)
  ret void
}
