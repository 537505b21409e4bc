; The first byte of two is the low one, where the high one comes first
; EXPECT llvm: value
target datalayout = "E"
define i8 @src(i16 %x) {
  %a = alloca i16, align 2
  store i16 %x, ptr %a, align 2
  %v = load i8, ptr %a, align 2
  ret i8 %v
}

define i8 @tgt(i16 %x) {
  %r = trunc i16 %x to i8
  ret i8 %r
}
