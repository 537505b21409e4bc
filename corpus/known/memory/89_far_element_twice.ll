; a byte that is far from where the pointer points, in one step or in two
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 5000
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %h = getelementptr i8, ptr %p, i64 2500
  %q = getelementptr i8, ptr %h, i64 2500
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
