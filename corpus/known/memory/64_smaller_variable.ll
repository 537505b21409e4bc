; A local variable that a call gets becomes smaller
; EXPECT llvm: calls
declare void @g(ptr)

define void @src() {
  %a = alloca [2 x i8], align 1
  call void @g(ptr %a)
  ret void
}

define void @tgt() {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  ret void
}
