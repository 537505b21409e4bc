; The call may know that its argument is even
; EXPECT llvm: calls
declare void @g(ptr captures(none))
define void @src(i8 %x) {
  %a = alloca i8, align 2
  store i8 %x, ptr %a
  call void @g(ptr %a)
  ret void
}
define void @tgt(i8 %x) {
  %a = alloca [3 x i8], align 2
  %p = getelementptr i8, ptr %a, i64 1
  store i8 %x, ptr %p
  call void @g(ptr %p)
  ret void
}
