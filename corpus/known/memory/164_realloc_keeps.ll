; What stood in the old block stands in the new one
; EXPECT llvm: refines
define i8 @src(i8 %x) {
  %p = call ptr @malloc(i64 2)
  store i8 %x, ptr %p, align 1
  %q = call ptr @realloc(ptr %p, i64 8)
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

define i8 @tgt(i8 %x) {
  ret i8 %x
}

declare noalias ptr @malloc(i64)
declare noalias ptr @realloc(ptr, i64)
