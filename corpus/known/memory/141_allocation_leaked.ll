; Allocating and never freeing is seen by nobody
; EXPECT llvm: refines
define void @src(i64 noundef %n) {
  ret void
}

define void @tgt(i64 noundef %n) {
  %p = call ptr @calloc(i64 %n, i64 4)
  ret void
}

declare noalias ptr @calloc(i64, i64)
