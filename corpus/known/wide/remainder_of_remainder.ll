; A remainder of a remainder, both by products
; EXPECT src: refines
define i32 @src(i32 %x, i32 %y, i32 %z) {
  %r = srem i32 %x, %y
  %s = srem i32 %r, %z
  ret i32 %s
}
define i32 @tgt(i32 %x, i32 %y, i32 %z) {
  %d = sdiv i32 %x, %y
  %m = mul i32 %d, %y
  %r = sub i32 %x, %m
  %e = sdiv i32 %r, %z
  %n = mul i32 %e, %z
  %s = sub i32 %r, %n
  ret i32 %s
}
