; Nothing becomes storing back what is there
; EXPECT llvm: more-ub
define void @src(ptr %p) {
  ret void
}

define void @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  store i8 %v, ptr %p, align 1
  ret void
}
