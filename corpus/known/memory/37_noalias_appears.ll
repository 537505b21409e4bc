; A pointer that another one may equal becomes noalias
; EXPECT llvm: more-ub
define i8 @src(ptr %p, ptr %q) {
  store i8 1, ptr %p, align 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

define i8 @tgt(ptr noalias %p, ptr %q) {
  store i8 1, ptr %p, align 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
