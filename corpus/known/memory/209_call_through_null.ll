; Through null nobody is called (LangRef, call: a pointer to a function)
; EXPECT llvm: refines
define i32 @src(ptr %g) {
  %c = icmp eq ptr %g, null
  br i1 %c, label %a, label %b
a:
  call void %g()
  ret i32 1
b:
  ret i32 2
}
define i32 @tgt(ptr %g) {
  ret i32 2
}
