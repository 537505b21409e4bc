; LangRef: nor does the sum of the offsets of nusw wrap, without the address
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
define ptr @src(ptr %p, i64 %i, i64 %k) {
  %q = getelementptr nusw [2 x i32], ptr %p, i64 %i, i64 %k
  ret ptr %q
}
define ptr @tgt(ptr %p, i64 %i, i64 %k) {
  %a = shl nsw i64 %i, 3
  %b = shl nsw i64 %k, 2
  %c = add nsw i64 %a, %b
  %q = getelementptr nusw i8, ptr %p, i64 %c
  ret ptr %q
}
