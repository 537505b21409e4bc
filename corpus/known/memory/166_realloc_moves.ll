; The old block is dead where the new one is not null
; EXPECT llvm: refines
define i8 @src() {
  %p = call ptr @malloc(i64 2)
  store i8 1, ptr %p, align 1
  %q = call ptr @realloc(ptr %p, i64 8)
  store i8 2, ptr %q, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt() {
  unreachable
}

declare noalias ptr @malloc(i64)
declare noalias ptr @realloc(ptr, i64)
