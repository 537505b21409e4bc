; EXPECT llvm: value
define i1 @src(ptr %p) {
  %f = freeze ptr %p
  %q = getelementptr i8, ptr %f, i64 1
  %g = freeze ptr %f
  %r = getelementptr i8, ptr %g, i64 1
  %c = icmp eq ptr %q, %r
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  %f = freeze ptr %p
  %q = getelementptr i8, ptr %f, i64 1
  %g = freeze ptr %p
  %r = getelementptr i8, ptr %g, i64 1
  %c = icmp eq ptr %q, %r
  ret i1 %c
}
