; A store at an index is none at the beginning
; EXPECT llvm: more-ub
define void @src(ptr %p, i1 %i) {
  %x = zext i1 %i to i64
  %g = getelementptr i8, ptr %p, i64 %x
  store i8 1, ptr %g, align 1
  ret void
}
define void @tgt(ptr %p, i1 %i) {
  %x = zext i1 %i to i64
  %g = getelementptr i8, ptr %p, i64 0
  store i8 1, ptr %g, align 1
  ret void
}
