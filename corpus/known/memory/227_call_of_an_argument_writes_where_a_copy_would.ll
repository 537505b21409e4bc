; A call that knows memory by its argument alone may get the place that its bytes are copied to, unless it leaves poison there
; EXPECT llvm: calls
; EXPECT uninit-poison: refines
declare void @g(ptr)
define void @src() {
  %d = alloca i8
  %s = alloca i8
  call void @g(ptr %d)
  call void @g(ptr captures(none) %s) willreturn nounwind memory(argmem: write)
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 1, i1 false)
  call void @g(ptr %d)
  ret void
}
define void @tgt() {
  %d = alloca i8
  call void @g(ptr %d)
  call void @g(ptr captures(none) %d) willreturn nounwind memory(argmem: write)
  call void @g(ptr %d)
  ret void
}
