; What is loaded as invariant is what was there before any call
; EXPECT llvm: refines
declare void @f()
define i8 @src(ptr %p) {
  %a = load i8, ptr %p, !invariant.load !0
  call void @f()
  %b = load i8, ptr %p, !invariant.load !0
  %r = sub i8 %a, %b
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %a = load i8, ptr %p, !invariant.load !0
  call void @f()
  ret i8 0
}
!0 = !{}
