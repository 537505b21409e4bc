; The target demands less of its callee
; EXPECT llvm: refines
declare void @g(ptr)

define void @src(ptr %p) {
  call void @g(ptr readonly %p)
  ret void
}

define void @tgt(ptr %p) {
  call void @g(ptr %p)
  ret void
}
