; Who was given which local first is a matter of the path
; EXPECT llvm: refines
declare void @g(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @src(i1 noundef %c) {
  %a = alloca i8
  %b = alloca i8
  br i1 %c, label %one, label %two
one:
  call void @g(ptr %a)
  ret void
two:
  call void @g(ptr %b)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 1, i1 false)
  ret void
}
define void @tgt(i1 noundef %c) {
  %a = alloca i8
  br i1 %c, label %one, label %two
one:
  call void @g(ptr %a)
  ret void
two:
  call void @g(ptr %a)
  ret void
}
