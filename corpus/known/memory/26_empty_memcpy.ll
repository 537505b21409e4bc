; memcpy of no bytes from poison goes
; Alive2 says no.
; EXPECT llvm: refines
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr poison, i64 0, i1 false)
  ret void
}

define void @tgt(ptr %q) {
  ret void
}
