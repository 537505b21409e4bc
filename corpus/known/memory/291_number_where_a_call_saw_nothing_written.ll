; What a call sees of an alloca that was not initialized may be any number, in each byte another
; EXPECT llvm: refines
declare void @g(ptr)
define void @src() {
  %a = alloca i16
  call void @g(ptr %a)
  ret void
}
define void @tgt() {
  %a = alloca i16
  store i16 3, ptr %a
  call void @g(ptr %a)
  ret void
}
