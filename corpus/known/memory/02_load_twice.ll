; One load of an unwritten byte becomes two loads of it
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
; EXPECT uninit-nondet: value
define i8 @src() {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  %r = xor i8 %v, %v
  ret i8 %r
}

define i8 @tgt() {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  %w = load i8, ptr %a, align 1
  %r = xor i8 %v, %w
  ret i8 %r
}
