; In two steps each offset is nusw where their sum may wrap
; EXPECT llvm: more-poison
; EXPECT uninit-poison: more-poison
define ptr @src(ptr %p, i64 %i, i64 %k) {
  %q = getelementptr nusw i8, ptr %p, i64 %i
  %r = getelementptr nusw i8, ptr %q, i64 %k
  ret ptr %r
}
define ptr @tgt(ptr %p, i64 %i, i64 %k) {
  %c = add i64 %i, %k
  %r = getelementptr nusw i8, ptr %p, i64 %c
  ret ptr %r
}
