; A new block is none that an argument points into
; EXPECT llvm: refines
define i8 @src(ptr %q) {
  %p = call ptr @malloc(i64 1)
  store i8 1, ptr %p, align 1
  store i8 2, ptr %q, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %q) {
  %p = call ptr @malloc(i64 1)
  store i8 1, ptr %p, align 1
  store i8 2, ptr %q, align 1
  ret i8 1
}

declare noalias ptr @malloc(i64)
