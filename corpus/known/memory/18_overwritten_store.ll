; A store that is overwritten at once goes
; EXPECT llvm: refines
define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  store i8 2, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  store i8 2, ptr %p, align 1
  ret void
}
