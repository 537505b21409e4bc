; Of a store of an undef pointer LLVM may make one of any other
; EXPECT llvm: refines
define void @src(ptr %p, ptr %q) {
  store ptr undef, ptr %p
  store ptr undef, ptr %q
  ret void
}
define void @tgt(ptr %p, ptr %q) {
  store ptr null, ptr %p
  store ptr null, ptr %q
  ret void
}
