; What an alloca made is not freed
; EXPECT llvm: refines
define void @src() {
  %a = alloca i8, align 1
  call void @free(ptr %a)
  ret void
}

define void @tgt() {
  unreachable
}

declare void @free(ptr)
