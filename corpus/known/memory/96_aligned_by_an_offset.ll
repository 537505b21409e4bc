; Where the pointer is no multiple of four, what is three bytes behind it may be
; EXPECT llvm: value
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 3
  %v = load i8, ptr %q, align 4
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  ret i8 2
}
