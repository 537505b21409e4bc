; One byte is copied by an integer (llvm issue 176685)
; While memory holds no pointers; Alive2 says no, since the byte could be of one.
; EXPECT llvm: refines
; EXPECT memory-bits: more-poison
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr %q, ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 1, i1 false)
  ret void
}

define void @tgt(ptr %q, ptr %p) {
  %v = load i8, ptr %p, align 1
  store i8 %v, ptr %q, align 1
  ret void
}
