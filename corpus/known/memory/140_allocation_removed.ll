; A block that nobody else sees is allocated, written and freed: none of it is seen
; EXPECT llvm: refines
define void @src(i64 %n) {
  %p = call ptr @malloc(i64 %n)
  call void @free(ptr %p)
  ret void
}

define void @tgt(i64 %n) {
  ret void
}

declare noalias ptr @malloc(i64)
declare void @free(ptr)
