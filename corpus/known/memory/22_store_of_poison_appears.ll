; A store of poison appears
; EXPECT llvm: more-ub
define void @src(ptr %p) {
  ret void
}

define void @tgt(ptr %p) {
  store i8 poison, ptr %p, align 1
  ret void
}
