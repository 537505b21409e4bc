; Another pointer is another function
; EXPECT llvm: calls
define void @src(ptr noundef nonnull %g, ptr noundef nonnull %h) {
  call void %g()
  ret void
}
define void @tgt(ptr noundef nonnull %g, ptr noundef nonnull %h) {
  call void %h()
  ret void
}
