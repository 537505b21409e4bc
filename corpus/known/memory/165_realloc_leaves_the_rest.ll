; What is behind the old block is not initialized
; EXPECT uninit-poison: refines
define i8 @src() {
  %p = call ptr @calloc(i64 1, i64 2)
  store i8 0, ptr %p, align 1
  %q = call ptr @realloc(ptr %p, i64 8)
  %e = getelementptr i8, ptr %q, i64 2
  %v = load i8, ptr %e, align 1
  ret i8 %v
}

define i8 @tgt() {
  ret i8 poison
}

declare noalias ptr @calloc(i64, i64)
declare noalias ptr @realloc(ptr, i64)
