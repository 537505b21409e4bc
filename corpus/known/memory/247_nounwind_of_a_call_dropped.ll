; What an attribute of a call forbids is UB in the source: it may be dropped
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
declare void @g(ptr)
define void @src(ptr %p) {
  call void @g(ptr %p) nounwind
  ret void
}
define void @tgt(ptr %p) {
  call void @g(ptr %p)
  ret void
}
