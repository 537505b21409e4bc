; A frozen pointer is the pointer, or where that is poison any address: poison may be passed as either
; EXPECT llvm: refines
declare void @g(ptr)
define void @src(ptr %p) {
  call void @g(ptr %p)
  ret void
}
define void @tgt(ptr %p) {
  %f = freeze ptr %p
  call void @g(ptr %f)
  ret void
}
