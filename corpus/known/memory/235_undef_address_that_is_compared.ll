; A comparison does see that undef is no poison
; EXPECT llvm: more-poison
define i1 @src(ptr %p) {
  %q = getelementptr i8, ptr undef, i64 1
  %c = icmp eq ptr %q, %p
  ret i1 %c
}
define i1 @tgt(ptr %p) {
  ret i1 poison
}
