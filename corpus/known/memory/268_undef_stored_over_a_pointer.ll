; It may not come, over a pointer or what else was there
; EXPECT llvm: more-undef
define void @src(ptr %p) {
  %a = load ptr, ptr %p
  store ptr %a, ptr %p
  ret void
}
define void @tgt(ptr %p) {
  store ptr undef, ptr %p
  ret void
}
