; A noalias argument that a call gives back is accessed through itself
; EXPECT llvm: value
declare ptr @g(ptr) nounwind willreturn memory(none)

define i8 @src(ptr noalias %p) {
  store i8 1, ptr %p, align 1
  %q = call ptr @g(ptr %p)
  store i8 2, ptr %q, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr noalias %p) {
  store i8 1, ptr %p, align 1
  %q = call ptr @g(ptr %p)
  store i8 2, ptr %q, align 1
  ret i8 1
}
