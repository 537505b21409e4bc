; One call sees whether two of its arguments are to one block
; EXPECT llvm: calls
declare void @g(ptr captures(none), ptr captures(none))
define void @src(i8 %x) {
  %a = alloca i8
  %b = alloca i8
  store i8 %x, ptr %a
  store i8 %x, ptr %b
  call void @g(ptr %a, ptr %b)
  ret void
}
define void @tgt(i8 %x) {
  %a = alloca i8
  store i8 %x, ptr %a
  call void @g(ptr %a, ptr %a)
  ret void
}
