; Taming UB 5.5: a freeze is one number, which is stored and returned; two numbers are not
; EXPECT llvm: value
; EXPECT uninit-poison: refines
define i8 @src(ptr %q) {
  %p = alloca i8, align 1
  %u = load i8, ptr %p, align 1
  %z = and i8 %u, 0
  %f = freeze i8 poison
  store i8 %f, ptr %q, align 1
  %r = or i8 %f, %z
  ret i8 %r
}
define i8 @tgt(ptr %q) {
  store i8 1, ptr %q, align 1
  ret i8 7
}
