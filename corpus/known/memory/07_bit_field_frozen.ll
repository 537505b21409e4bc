; Three bits of an unwritten byte are set, what was there being frozen (Taming UB 5.3)
; EXPECT llvm: refines
; EXPECT uninit-nondet: refines
; EXPECT uninit-poison: refines
define i8 @src() {
  ret i8 4
}

define i8 @tgt() {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  %f = freeze i8 %v
  %k = and i8 %f, -8
  %n = or i8 %k, 4
  store i8 %n, ptr %a, align 1
  %w = load i8, ptr %a, align 1
  %r = and i8 %w, 7
  ret i8 %r
}
