; The caller may use all of it
; EXPECT llvm: value
define ptr @src() {
  %p = call ptr @malloc(i64 8)
  ret ptr %p
}

define ptr @tgt() {
  %p = call ptr @malloc(i64 4)
  ret ptr %p
}

declare noalias ptr @malloc(i64)
