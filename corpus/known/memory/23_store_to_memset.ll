; A store of two bytes becomes memset
; EXPECT llvm: refines
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)

define void @src(ptr %p) {
  store i16 0, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 2, i1 false)
  ret void
}
