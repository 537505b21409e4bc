; A block is freed by its begin only
; EXPECT llvm: refines
define void @src() {
  %p = call ptr @malloc(i64 4)
  store i8 1, ptr %p, align 1
  %q = getelementptr i8, ptr %p, i64 1
  call void @free(ptr %q)
  ret void
}

define void @tgt() {
  unreachable
}

declare noalias ptr @malloc(i64)
declare void @free(ptr)
