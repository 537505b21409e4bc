; A store goes that is overwritten after a call that sees no memory, but shows it when it unwinds
; EXPECT llvm: calls
declare void @use() memory(none)

define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @use()
  store i8 2, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  call void @use()
  store i8 2, ptr %p, align 1
  ret void
}
