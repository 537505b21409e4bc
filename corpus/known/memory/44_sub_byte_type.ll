; An i4 is stored and loaded
; EXPECT llvm: refines
define i4 @src(ptr %p, i4 %x) {
  store i4 %x, ptr %p, align 1
  %v = load i4, ptr %p, align 1
  ret i4 %v
}

define i4 @tgt(ptr %p, i4 %x) {
  store i4 %x, ptr %p, align 1
  ret i4 %x
}
