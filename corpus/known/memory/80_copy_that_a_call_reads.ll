; What nobody writes is the same whichever way the callee reads it
; EXPECT llvm: refines
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @use(ptr noalias readonly captures(none)) memory(read)
define void @src(ptr noalias %p) {
  %a = alloca i8, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 1, i1 false)
  call void @use(ptr %a)
  ret void
}

define void @tgt(ptr noalias %p) {
  %a = alloca i8, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 1, i1 false)
  call void @use(ptr %p)
  ret void
}
