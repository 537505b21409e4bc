; What an earlier call took, one that sees only its arguments does not know
; EXPECT uninit-poison: refines
declare void @g(ptr)
declare void @h(ptr captures(none)) memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @src(i8 %x) {
  %a = alloca i8
  %b = alloca i8
  call void @g(ptr %a)
  store i8 %x, ptr %b
  call void @h(ptr %b)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 1, i1 false)
  ret void
}
define void @tgt(i8 %x) {
  %a = alloca i8
  call void @g(ptr %a)
  store i8 %x, ptr %a
  call void @h(ptr %a)
  ret void
}
