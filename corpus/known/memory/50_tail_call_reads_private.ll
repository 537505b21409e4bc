; A tail call that reads a local variable is not reached
; EXPECT llvm: refines
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr %p) {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  tail call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  ret void
}

define void @tgt(ptr %p) {
  unreachable
}
