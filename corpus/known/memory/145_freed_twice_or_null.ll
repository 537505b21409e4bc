; What is freed twice may be null, which is nothing
; EXPECT llvm: more-ub
define void @src(ptr %p) {
  %q = call ptr @calloc(i64 -1, i64 16)
  call void @free(ptr %q)
  call void @free(ptr %q)
  ret void
}

define void @tgt(ptr %p) {
  unreachable
}

declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)
