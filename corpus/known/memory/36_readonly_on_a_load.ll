; A pointer that is only loaded through becomes readonly
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr readonly %p) {
  %v = load i8, ptr %p, align 1
  ret i8 %v
}
