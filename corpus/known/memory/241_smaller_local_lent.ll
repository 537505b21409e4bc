; The call may access the second byte, which holds nothing
; EXPECT llvm: calls
declare void @g(ptr captures(none))
define void @src(i8 %x) {
  %a = alloca [2 x i8], align 1
  store i8 %x, ptr %a
  call void @g(ptr %a)
  ret void
}
define void @tgt(i8 %x) {
  %a = alloca i8, align 1
  store i8 %x, ptr %a
  call void @g(ptr %a)
  ret void
}
