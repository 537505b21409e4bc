; Two stores become one: one poison byte poisons both
; EXPECT llvm: more-poison
define void @src(ptr %p, i8 %x, i8 %y) {
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 %x, ptr %p, align 1
  store i8 %y, ptr %p1, align 1
  ret void
}

define void @tgt(ptr %p, i8 %x, i8 %y) {
  %v = zext i8 %x to i16
  %w = zext i8 %y to i16
  %z = shl i16 %w, 8
  %r = or i16 %v, %z
  store i16 %r, ptr %p, align 1
  ret void
}
