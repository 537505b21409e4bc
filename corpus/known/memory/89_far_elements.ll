; bytes that are far from where the pointer points, one beside the other
; EXPECT llvm: wrong
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 5000
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 5001
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
