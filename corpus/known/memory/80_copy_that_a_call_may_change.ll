; The callee may write what the argument points to by another way, and read it by the argument
; EXPECT llvm: calls
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @use(ptr readonly captures(none))
define void @src(ptr %p) {
  %a = alloca i8, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 1, i1 false)
  call void @use(ptr %a)
  ret void
}

define void @tgt(ptr %p) {
  %a = alloca i8, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 1, i1 false)
  call void @use(ptr %p)
  ret void
}
