; A load of a block that was freed is UB, not poison as of a dead local
; EXPECT llvm: refines
define i8 @src() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt() {
  unreachable
}

declare noalias ptr @malloc(i64)
declare void @free(ptr)
