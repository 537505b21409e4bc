; What is loaded without it may have changed, and may change behind it
; EXPECT llvm: wrong
declare void @f()
define i8 @src(ptr %p) {
  %a = load i8, ptr %p
  call void @f()
  %b = load i8, ptr %p
  ret i8 %b
}
define i8 @tgt(ptr %p) {
  %a = load i8, ptr %p
  call void @f()
  %b = load i8, ptr %p, !invariant.load !0
  ret i8 %a
}
!0 = !{}
