; To store what stands there anyway changes nothing
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  %a = load i8, ptr %p
  store i8 %a, ptr %p
  ret i8 %a
}
define i8 @tgt(ptr %p) {
  %a = load i8, ptr %p, !invariant.load !0
  store i8 %a, ptr %p
  ret i8 %a
}
!0 = !{}
