; A store goes that is overwritten after a call that sees no memory and when it unwinds nobody looks
; EXPECT llvm: refines
declare void @use() memory(none)

define void @src(ptr dead_on_unwind %p) {
  store i8 1, ptr %p, align 1
  call void @use()
  store i8 2, ptr %p, align 1
  ret void
}

define void @tgt(ptr dead_on_unwind %p) {
  call void @use()
  store i8 2, ptr %p, align 1
  ret void
}
