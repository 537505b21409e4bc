; calloc fills its block with zeros
; EXPECT llvm: refines
define i16 @src() {
  %p = call ptr @calloc(i64 2, i64 2)
  %q = getelementptr i8, ptr %p, i64 2
  %v = load i16, ptr %q, align 2
  ret i16 %v
}

define i16 @tgt() {
  ret i16 0
}

declare noalias ptr @calloc(i64, i64)
