; A load gives what was just stored
; EXPECT llvm: refines
define i8 @src(ptr %p, i8 %x) {
  store i8 %x, ptr %p, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p, i8 %x) {
  store i8 %x, ptr %p, align 1
  ret i8 %x
}
