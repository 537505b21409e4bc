; a difference the other way round
; EXPECT llvm: wrong
define i8 @src(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %r = getelementptr i8, ptr %q, i64 1
  %b = load i8, ptr %r
  %s = sub i8 %a, %b
  ret i8 %s
}
define i8 @tgt(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %r = getelementptr i8, ptr %q, i64 1
  %b = load i8, ptr %r
  %s = sub i8 %b, %a
  ret i8 %s
}
