; A load becomes the low half of a wider one of bytes that are there: the other one may be poison
; EXPECT llvm: more-poison
define i8 @src(ptr dereferenceable(2) %p) {
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr dereferenceable(2) %p) {
  %v = load i16, ptr %p, align 1
  %r = trunc i16 %v to i8
  ret i8 %r
}
