; More room on both sides of what is lent, and as far aligned
; EXPECT llvm: refines
declare void @g(ptr captures(none))
define void @src(i8 %x) {
  %a = alloca i8, align 1
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
