; To allocate one knows not what is UB
; EXPECT llvm: refines
define void @src() {
  %p = call ptr @malloc(i64 poison)
  ret void
}

define void @tgt() {
  unreachable
}

declare noalias ptr @malloc(i64)
