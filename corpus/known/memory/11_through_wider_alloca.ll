; A byte goes through two bytes of which the other one was not written
; EXPECT llvm: refines
; EXPECT uninit-nondet: refines
; EXPECT uninit-poison: more-poison
define i8 @src(i8 %x) {
  ret i8 %x
}

define i8 @tgt(i8 %x) {
  %a = alloca i16, align 2
  store i8 %x, ptr %a, align 1
  %v = load i16, ptr %a, align 2
  %r = trunc i16 %v to i8
  ret i8 %r
}
