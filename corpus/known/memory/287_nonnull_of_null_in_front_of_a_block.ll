; What is null may be accessed behind that, what is not null may not
; EXPECT llvm: more-ub
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @tgt(ptr nonnull %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
