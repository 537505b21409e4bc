; A call goes that can only write a local variable
; EXPECT llvm: refines
declare void @w(ptr captures(none)) nounwind willreturn memory(argmem: readwrite)

define void @src() {
  %a = alloca i8, align 1
  call void @w(ptr %a)
  ret void
}

define void @tgt() {
  ret void
}
