; A load becomes the low half of a wider one (Taming UB 5.4)
; EXPECT llvm: more-ub
define i8 @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %v = load i16, ptr %p, align 1
  %r = trunc i16 %v to i8
  ret i8 %r
}
