; memmove onto an overlapping place is not reached
; EXPECT llvm: more-ub
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr %p) {
  %p1 = getelementptr i8, ptr %p, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %p1, ptr %p, i64 2, i1 false)
  ret void
}

define void @tgt(ptr %p) {
  unreachable
}
