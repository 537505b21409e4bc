; The old block is left alone where realloc fails
; EXPECT llvm: more-ub
define i8 @src() {
  %p = call ptr @malloc(i64 2)
  store i8 1, ptr %p, align 1
  %q = call ptr @realloc(ptr %p, i64 8)
  %c = icmp eq ptr %q, null
  br i1 %c, label %failed, label %done
failed:
  %v = load i8, ptr %p, align 1
  ret i8 %v
done:
  ret i8 1
}

define i8 @tgt() {
  %p = call ptr @malloc(i64 2)
  store i8 1, ptr %p, align 1
  %q = call ptr @realloc(ptr %p, i64 8)
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

declare noalias ptr @malloc(i64)
declare noalias ptr @realloc(ptr, i64)
