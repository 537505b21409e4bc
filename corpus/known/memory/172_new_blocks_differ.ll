; Two blocks that are alive are not one
; EXPECT llvm: value
define i1 @src() {
  %p = call ptr @_Znwm(i64 4) builtin nounwind
  %q = call ptr @_Znwm(i64 4) builtin nounwind
  %c = icmp eq ptr %p, %q
  ret i1 %c
}

define i1 @tgt() {
  ret i1 true
}

declare noalias ptr @_Znwm(i64) nounwind
