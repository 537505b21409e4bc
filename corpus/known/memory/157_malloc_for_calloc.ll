; malloc leaves its block uninitialized
; EXPECT llvm: more-undef
; EXPECT uninit-poison: more-poison
define i8 @src() {
  %p = call ptr @calloc(i64 1, i64 1)
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt() {
  %p = call ptr @malloc(i64 1)
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
