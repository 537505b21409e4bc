; An index that is used in one half only is another address
; EXPECT llvm: more-ub
define i8 @src(ptr %p, i2 %i) {
  %x = zext i2 %i to i64
  %g = getelementptr i8, ptr %p, i64 %x
  %v = load i8, ptr %g, align 1
  ret i8 %v
}
define i8 @tgt(ptr %p, i2 %i) {
  %j = and i2 %i, 1
  %x = zext i2 %j to i64
  %g = getelementptr i8, ptr %p, i64 %x
  %v = load i8, ptr %g, align 1
  ret i8 %v
}
