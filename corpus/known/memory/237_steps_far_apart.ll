; A step by any number, as far as 2^63 from another
; EXPECT llvm: refines
define ptr @src(ptr %p, i64 %a) {
  %q = getelementptr i8, ptr %p, i64 9223372036854775804
  %b = add i64 %a, 1
  %r = getelementptr i32, ptr %q, i64 %b
  ret ptr %r
}
define ptr @tgt(ptr %p, i64 %a) {
  %q = getelementptr i8, ptr %p, i64 -9223372036854775808
  %r = getelementptr i32, ptr %q, i64 %a
  ret ptr %r
}
