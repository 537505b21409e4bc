; element %j of row %i, addressed by both indices or by one number
; EXPECT llvm: refines
define i8 @src(ptr %p, i2 %i, i1 %j) {
  %row = zext i2 %i to i64
  %column = zext i1 %j to i64
  %q = getelementptr [2 x i8], ptr %p, i64 %row, i64 %column
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @tgt(ptr %p, i2 %i, i1 %j) {
  %row = zext i2 %i to i64
  %column = zext i1 %j to i64
  %before = shl i64 %row, 1
  %offset = or i64 %before, %column
  %q = getelementptr i8, ptr %p, i64 %offset
  %v = load i8, ptr %q
  ret i8 %v
}
