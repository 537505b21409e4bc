; A call says that its argument is aligned, and a store behind it believes it (llvm issue 224817)
; EXPECT llvm: more-ub
declare void @g(ptr)

define void @src(ptr %p) {
  call void @g(ptr align 2 %p)
  store i8 1, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  call void @g(ptr align 2 %p)
  store i8 1, ptr %p, align 2
  ret void
}
