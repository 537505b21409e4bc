; What new made is not freed by free
; EXPECT llvm: refines
define void @src() {
  %p = call ptr @_Znwm(i64 4) builtin nounwind
  call void @free(ptr %p)
  ret void
}

define void @tgt() {
  unreachable
}

declare void @free(ptr)
declare noalias ptr @_Znwm(i64) nounwind
