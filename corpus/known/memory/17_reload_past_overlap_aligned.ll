; Two bytes are copied, perhaps onto themselves, and read again: all of them or none
; EXPECT llvm: refines
define i16 @src(ptr %p, ptr %q) {
  %v = load i16, ptr %p, align 2
  store i16 %v, ptr %q, align 2
  %w = load i16, ptr %p, align 2
  ret i16 %w
}

define i16 @tgt(ptr %p, ptr %q) {
  %v = load i16, ptr %p, align 2
  store i16 %v, ptr %q, align 2
  ret i16 %v
}
