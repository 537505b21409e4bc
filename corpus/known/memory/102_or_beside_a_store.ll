; Only one bit of an `or` differs from an argument, beside a store
; EXPECT llvm: value
define i2 @src(ptr %p, i2 %x, i1 %k, i2 %y) {
  store i8 0, ptr %p, align 1
  %z = zext i1 %k to i2
  %o = or i2 %z, %x
  %a = and i2 %o, %y
  ret i2 %a
}
define i2 @tgt(ptr %p, i2 %x, i1 %k, i2 %y) {
  store i8 0, ptr %p, align 1
  %z = zext i1 %k to i2
  %o = or i2 %z, %x
  %a = and i2 %y, %o
  %b = and i2 %a, 1
  ret i2 %b
}
