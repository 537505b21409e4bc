; A call that leaves the stored undef alone leaves the number alone
; EXPECT llvm: refines
declare void @g(ptr)

define void @src(ptr %p) {
  store i2 undef, ptr %p, align 1
  call void @g(ptr %p)
  ret void
}

define void @tgt(ptr %p) {
  store i2 1, ptr %p, align 1
  call void @g(ptr %p)
  ret void
}
