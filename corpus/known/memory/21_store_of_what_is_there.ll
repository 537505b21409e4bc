; What is there is stored back: nothing
; EXPECT llvm: refines
define void @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  store i8 %v, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  ret void
}
