; EXPECT llvm: refines
define i16 @src(i16 %x) {
  %a = alloca i64, align 4
  %p = getelementptr i8, ptr %a, i64 2
  store i16 %x, ptr %p, align 1
  %v = load i16, ptr %p, align 1
  ret i16 %v
}

define i16 @tgt(i16 %x) {
  %a = alloca i64, align 4
  %p = getelementptr i8, ptr %a, i64 2
  store i16 %x, ptr %p, align 2
  %v = load i16, ptr %p, align 2
  ret i16 %v
}
