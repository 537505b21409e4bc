; Whoever is there, equal numbers are one pointer
; EXPECT llvm: refines
define i8 @src(i64 %x, ptr %q) {
  %p = inttoptr i64 %x to ptr
  store i8 1, ptr %p, align 1
  %y = add i64 %x, 0
  %r = inttoptr i64 %y to ptr
  %v = load i8, ptr %r, align 1
  store i8 %v, ptr %q, align 1
  ret i8 %v
}

define i8 @tgt(i64 %x, ptr %q) {
  %p = inttoptr i64 %x to ptr
  store i8 1, ptr %p, align 1
  store i8 1, ptr %q, align 1
  ret i8 1
}
