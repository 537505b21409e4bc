; A store of undef goes: what was there may be poison
; EXPECT llvm: more-poison
define void @src(ptr %p) {
  store i8 undef, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  ret void
}
