; What a call returns may point to what the caller was given
; EXPECT llvm: value
declare ptr @g() nounwind willreturn nofree memory(none)

define i8 @src(ptr %p) {
  %q = call ptr @g()
  store i8 1, ptr %p, align 1
  store i8 2, ptr %q, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %q = call ptr @g()
  store i8 1, ptr %p, align 1
  store i8 2, ptr %q, align 1
  ret i8 1
}
