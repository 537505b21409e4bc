; A store of poison goes
; EXPECT llvm: refines
define void @src(ptr %p) {
  store i8 poison, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  ret void
}
