; element %j of row %i, the other one of its row
; EXPECT llvm: wrong
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
  %other = xor i64 %column, 1
  %offset = or i64 %before, %other
  %q = getelementptr i8, ptr %p, i64 %offset
  %v = load i8, ptr %q
  ret i8 %v
}
