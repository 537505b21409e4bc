; Another pointer is another function
; EXPECT llvm: calls
define void @src(ptr %g, ptr %h) {
  call void %g()
  ret void
}
define void @tgt(ptr %g, ptr %h) {
  call void %h()
  ret void
}
