; aligned_alloc gives the alignment that it was asked for
; EXPECT llvm: refines
define void @src() {
  %p = call ptr @aligned_alloc(i64 64, i64 64)
  store i8 1, ptr %p, align 1
  ret void
}

define void @tgt() {
  %p = call ptr @aligned_alloc(i64 64, i64 64)
  store i8 1, ptr %p, align 64
  ret void
}

declare noalias ptr @aligned_alloc(i64, i64)
