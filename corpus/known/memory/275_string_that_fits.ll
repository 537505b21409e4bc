; As much as fits is copied, and a 0; the result is what there was
; EXPECT llvm: refines
@a = constant [4 x i8] c"abc\00"
declare i64 @strlcpy(ptr, ptr, i64)
define i64 @src(ptr %p) {
  %r = call i64 @strlcpy(ptr %p, ptr @a, i64 2)
  ret i64 %r
}
define i64 @tgt(ptr %p) {
  store i8 97, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  store i8 0, ptr %q
  ret i64 3
}
