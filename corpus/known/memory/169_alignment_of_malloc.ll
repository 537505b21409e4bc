; malloc aligns for any type, 16 bytes, and no better
; EXPECT llvm: more-ub
define void @src() {
  %p = call ptr @malloc(i64 64)
  store i8 1, ptr %p, align 16
  ret void
}

define void @tgt() {
  %p = call ptr @malloc(i64 64)
  store i8 1, ptr %p, align 32
  ret void
}

declare noalias ptr @malloc(i64)
