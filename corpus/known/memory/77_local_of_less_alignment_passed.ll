; The callee may rely on how the local was aligned
; EXPECT llvm: calls
declare void @use(ptr)
define void @src() {
  %a = alloca i16, align 2
  store i16 0, ptr %a, align 1
  call void @use(ptr %a)
  ret void
}

define void @tgt() {
  %a = alloca i16, align 1
  store i16 0, ptr %a, align 1
  call void @use(ptr %a)
  ret void
}
