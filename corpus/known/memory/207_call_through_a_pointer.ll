; Whoever is called through a pointer has no access to a local that nobody passes
; EXPECT llvm: refines
define i32 @src(ptr %g, i32 %x) {
  %p = alloca i32, align 4
  store i32 %x, ptr %p, align 4
  %a = call i32 %g(i32 %x)
  %l = load i32, ptr %p, align 4
  %b = add i32 %a, %l
  ret i32 %b
}
define i32 @tgt(ptr %g, i32 %x) {
  %a = call i32 %g(i32 %x)
  %b = add i32 %a, %x
  ret i32 %b
}
