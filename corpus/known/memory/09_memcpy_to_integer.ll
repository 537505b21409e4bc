; Two bytes are copied by an integer: one poison byte poisons both (Taming UB 7)
; EXPECT llvm: more-poison
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr %q, ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 2, i1 false)
  ret void
}

define void @tgt(ptr %q, ptr %p) {
  %v = load i16, ptr %p, align 1
  store i16 %v, ptr %q, align 1
  ret void
}
