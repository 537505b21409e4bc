; Nobody knows how long it is, and it is the same
; EXPECT llvm: refines
define i64 @src(ptr %p, i64 %a) {
  %n = call i64 @strlen(ptr %p)
  %b = mul i64 %a, 2
  %r = add i64 %n, %b
  ret i64 %r
}

define i64 @tgt(ptr %p, i64 %a) {
  %n = call i64 @strlen(ptr %p)
  %b = shl i64 %a, 1
  %r = add i64 %n, %b
  ret i64 %r
}

declare i64 @strlen(ptr)
