; The caller gets a block that is dead
; EXPECT llvm: value
define ptr @src() {
  %p = call ptr @malloc(i64 8)
  ret ptr %p
}

define ptr @tgt() {
  %p = call ptr @malloc(i64 8)
  call void @free(ptr %p)
  ret ptr %p
}

declare noalias ptr @malloc(i64)
declare void @free(ptr)
