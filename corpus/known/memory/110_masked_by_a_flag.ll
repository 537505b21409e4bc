; One bit may be set where an argument is masked by a flag, beside a store
; EXPECT llvm: value
define i4 @src(ptr %p, i4 %x, i1 %k, i4 %y) {
  store i8 0, ptr %p, align 1
  %z = zext i1 %k to i4
  %w = and i4 %y, %z
  %o = add i4 %w, %x
  ret i4 %o
}
define i4 @tgt(ptr %p, i4 %x, i1 %k, i4 %y) {
  store i8 0, ptr %p, align 1
  %z = zext i1 %k to i4
  %w = and i4 %y, %z
  %o = add i4 %w, %x
  ret i4 %x
}
