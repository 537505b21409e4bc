; Two bytes put together become one load
; EXPECT llvm: refines
define i16 @src(ptr %p) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %p, align 1
  %w = load i8, ptr %p1, align 1
  %x = zext i8 %v to i16
  %y = zext i8 %w to i16
  %z = shl i16 %y, 8
  %r = or i16 %x, %z
  ret i16 %r
}

define i16 @tgt(ptr %p) {
  %r = load i16, ptr %p, align 1
  ret i16 %r
}
