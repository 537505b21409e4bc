; The same where every run can be tried
; EXPECT llvm: refines
declare void @g(ptr)
define void @src() {
  %a = alloca i8
  %x = load i8, ptr %a
  store i8 %x, ptr %a
  call void @g(ptr %a)
  ret void
}
define void @tgt() {
  %a = alloca i8
  call void @g(ptr %a)
  ret void
}
