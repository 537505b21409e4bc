; What a call returns as noalias is to nothing that was there
; EXPECT llvm: refines
declare noalias ptr @f()
define i8 @src(ptr %p) {
  %q = call ptr @f()
  %a = load i8, ptr %p
  store i8 7, ptr %q
  %b = load i8, ptr %p
  %r = sub i8 %a, %b
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %q = call ptr @f()
  %a = load i8, ptr %p
  store i8 7, ptr %q
  %r = sub i8 %a, %a
  ret i8 %r
}
