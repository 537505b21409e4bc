; A pointer comes out of memory as it went in
; EXPECT llvm: refines
define i8 @src(ptr %p, ptr %q) {
  store ptr %q, ptr %p, align 1
  %r = load ptr, ptr %p, align 1
  %v = load i8, ptr %r, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p, ptr %q) {
  store ptr %q, ptr %p, align 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
