; An i4 is stored and its byte loaded
; EXPECT llvm: more-poison
; EXPECT llvm:padding=zero: refines
define i8 @src(i4 %x) {
  %r = zext i4 %x to i8
  ret i8 %r
}

define i8 @tgt(i4 %x) {
  %a = alloca i8, align 1
  store i4 %x, ptr %a, align 1
  %v = load i8, ptr %a, align 1
  ret i8 %v
}
