; A call that is given a block of the heap may free it
; EXPECT llvm: more-ub
define i8 @src() {
  %p = call ptr @_Znwm(i64 1) builtin nounwind
  store i8 1, ptr %p, align 1
  call void @use(ptr %p)
  ret i8 0
}

define i8 @tgt() {
  %p = call ptr @_Znwm(i64 1) builtin nounwind
  store i8 1, ptr %p, align 1
  call void @use(ptr %p)
  %v = load i8, ptr %p, align 1
  ret i8 0
}

declare noalias ptr @_Znwm(i64) nounwind
declare void @use(ptr)
