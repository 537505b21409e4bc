; The call is given another local, whose contents are not the same
; EXPECT llvm: calls
@g = external global i8

declare void @use(ptr)

define void @src() {
  %other = alloca i8, align 1
  %a = alloca i8, align 1
  store i8 1, ptr %other, align 1
  store i8 2, ptr %a, align 1
  call void @use(ptr %a)
  ret void
}

define void @tgt() {
  %a = alloca i8, align 1
  %other = alloca i8, align 1
  store i8 1, ptr %other, align 1
  store i8 2, ptr %a, align 1
  call void @use(ptr %other)
  ret void
}
