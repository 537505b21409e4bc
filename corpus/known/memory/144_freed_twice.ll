; Freeing a block twice is UB, unless it is null
; EXPECT llvm: refines
define void @src() {
  %p = call ptr @malloc(i64 4)
  store i8 1, ptr %p, align 1
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret void
}

define void @tgt() {
  unreachable
}

declare noalias ptr @malloc(i64)
declare void @free(ptr)
