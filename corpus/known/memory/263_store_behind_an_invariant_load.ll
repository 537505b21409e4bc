; The place may not change behind the load either, not even for a time
; EXPECT llvm: more-ub
define i8 @src(ptr %p) {
  %a = load i8, ptr %p
  %b = add i8 %a, 1
  store i8 %b, ptr %p
  store i8 %a, ptr %p
  ret i8 %a
}
define i8 @tgt(ptr %p) {
  %a = load i8, ptr %p, !invariant.load !0
  %b = add i8 %a, 1
  store i8 %b, ptr %p
  store i8 %a, ptr %p
  ret i8 %a
}
!0 = !{}
