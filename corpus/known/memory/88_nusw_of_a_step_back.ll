; An address near 0, and its block at the end of the address space: a step back wraps
; EXPECT llvm: more-ub
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 -2
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %q = getelementptr nusw i8, ptr %p, i64 -2
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
