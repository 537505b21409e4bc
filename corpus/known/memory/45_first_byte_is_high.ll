; The first byte of two is the high one
; EXPECT llvm: value
define i8 @src(i16 %x) {
  %a = alloca i16, align 2
  store i16 %x, ptr %a, align 2
  %v = load i8, ptr %a, align 2
  ret i8 %v
}

define i8 @tgt(i16 %x) {
  %h = lshr i16 %x, 8
  %r = trunc i16 %h to i8
  ret i8 %r
}
