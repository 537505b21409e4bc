; Two bytes are copied by a vector (Taming UB 7)
; While memory holds no pointers; Alive2 says no, since the bytes could be of one.
; EXPECT llvm: refines
; EXPECT memory-bits: more-poison
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr %q, ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 2, i1 false)
  ret void
}

define void @tgt(ptr %q, ptr %p) {
  %v = load <2 x i8>, ptr %p, align 1
  store <2 x i8> %v, ptr %q, align 1
  ret void
}
