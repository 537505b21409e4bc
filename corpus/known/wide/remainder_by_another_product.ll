; The product is of the other operand
; EXPECT src: value
define i64 @src(i32 %x, i32 %y) {
  %d = sdiv i32 %x, %y
  %r = srem i32 %x, %y
  %a = zext i32 %d to i64
  %b = zext i32 %r to i64
  %c = shl i64 %a, 32
  %e = or i64 %b, %c
  ret i64 %e
}
define i64 @tgt(i32 %x, i32 %y) {
  %x.f = freeze i32 %x
  %y.f = freeze i32 %y
  %d = sdiv i32 %x.f, %y.f
  %m = mul i32 %d, %x.f
  %r = sub i32 %x.f, %m
  %a = zext i32 %d to i64
  %b = zext i32 %r to i64
  %c = shl i64 %a, 32
  %e = or i64 %b, %c
  ret i64 %e
}
