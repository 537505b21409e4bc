; memcpy becomes memmove
; EXPECT llvm: refines
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr %q, ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 2, i1 false)
  ret void
}

define void @tgt(ptr %q, ptr %p) {
  call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 2, i1 false)
  ret void
}
