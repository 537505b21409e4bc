; Two bytes are copied, perhaps onto themselves, and read again (llvm issue 129141)
; EXPECT llvm: value
define i16 @src(ptr %p, ptr %q) {
  %v = load i16, ptr %p, align 1
  store i16 %v, ptr %q, align 1
  %w = load i16, ptr %p, align 1
  ret i16 %w
}

define i16 @tgt(ptr %p, ptr %q) {
  %v = load i16, ptr %p, align 1
  store i16 %v, ptr %q, align 1
  ret i16 %v
}
