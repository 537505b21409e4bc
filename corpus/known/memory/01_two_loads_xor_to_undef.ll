; Two loads of a byte that nobody wrote, xor-ed: undef says more than one number each time
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
; EXPECT uninit-nondet: more-undef
define i8 @src() {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  %w = load i8, ptr %a, align 1
  %r = xor i8 %v, %w
  ret i8 %r
}

define i8 @tgt() {
  ret i8 undef
}
