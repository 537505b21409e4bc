; A byte is stored and an i4 loaded
; EXPECT llvm: refines
define i4 @src(ptr %p, i8 %x) {
  store i8 %x, ptr %p, align 1
  %v = load i4, ptr %p, align 1
  ret i4 %v
}

define i4 @tgt(ptr %p, i8 %x) {
  store i8 %x, ptr %p, align 1
  %r = trunc i8 %x to i4
  ret i4 %r
}
