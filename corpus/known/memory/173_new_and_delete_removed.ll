; A pair of built-in new and delete may go
; EXPECT llvm: refines
define void @src() {
  %p = call ptr @_Znwm(i64 4) builtin nounwind
  store i8 1, ptr %p, align 1
  call void @_ZdlPv(ptr %p) builtin nounwind
  ret void
}

define void @tgt() {
  ret void
}

declare noalias ptr @_Znwm(i64) nounwind
declare void @_ZdlPv(ptr) nounwind
