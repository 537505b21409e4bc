; what is stored back may be read-only
; EXPECT llvm: more-ub
declare void @g(ptr)

define void @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  call void @g(ptr %p)
  ret void
}

define void @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  store i8 %v, ptr %p, align 1
  call void @g(ptr %p)
  ret void
}
