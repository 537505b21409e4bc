; A store to a local variable goes before a call that cannot read it
; EXPECT llvm: refines
declare void @w(ptr) memory(write)

define void @src() {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  call void @w(ptr %a)
  ret void
}

define void @tgt() {
  %a = alloca i8, align 1
  call void @w(ptr %a)
  ret void
}
