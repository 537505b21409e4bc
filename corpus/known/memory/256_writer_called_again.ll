; What writes and does not read writes the same again
; EXPECT llvm: refines
declare void @w(ptr) memory(write)
declare void @g()
define void @src(ptr %p) {
  call void @w(ptr %p)
  call void @w(ptr %p)
  call void @g()
  ret void
}
define void @tgt(ptr %p) {
  call void @w(ptr %p)
  call void @g()
  ret void
}
