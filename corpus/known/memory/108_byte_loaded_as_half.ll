; A byte that was stored is poison as an i4: another type
; EXPECT llvm: refines
define i4 @src(ptr %p) {
  %w = load i8, ptr %p, align 1
  store i8 5, ptr %p, align 1
  %v = load i4, ptr %p, align 1
  ret i4 %v
}
define i4 @tgt(ptr %p) {
  %w = load i8, ptr %p, align 1
  store i8 5, ptr %p, align 1
  ret i4 0
}
