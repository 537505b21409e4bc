; A call says that its argument is aligned, or else undefined, and a store behind it believes it
; EXPECT llvm: refines
declare void @g(ptr)

define void @src(ptr %p) {
  call void @g(ptr noundef align 2 %p)
  store i8 1, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  call void @g(ptr noundef align 2 %p)
  store i8 1, ptr %p, align 2
  ret void
}
