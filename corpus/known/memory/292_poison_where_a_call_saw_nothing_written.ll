; but not poison
; EXPECT llvm: calls
declare void @g(ptr)
define void @src() {
  %a = alloca i16
  call void @g(ptr %a)
  ret void
}
define void @tgt() {
  %a = alloca i16
  store i16 poison, ptr %a
  call void @g(ptr %a)
  ret void
}
