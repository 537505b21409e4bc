; A store goes that a load may have read before it is overwritten
; EXPECT llvm: more-poison
define i8 @src(ptr %p, ptr %q) {
  store i8 1, ptr %p, align 1
  %v = load i8, ptr %q, align 1
  store i8 2, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p, ptr %q) {
  %v = load i8, ptr %q, align 1
  store i8 2, ptr %p, align 1
  ret i8 %v
}
