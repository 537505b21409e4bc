; What captures nothing of its argument sees contents only: a copy will do, at another place
; EXPECT llvm: refines
declare i8 @g(ptr captures(none))
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @src(i8 %x) {
  %a = alloca i8
  %b = alloca i8
  store i8 %x, ptr %a
  %r = call i8 @g(ptr %a)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 1, i1 false)
  %s = call i8 @g(ptr %b)
  ret void
}
define void @tgt(i8 %x) {
  %a = alloca i8
  store i8 %x, ptr %a
  %r = call i8 @g(ptr %a)
  %s = call i8 @g(ptr %a)
  ret void
}
