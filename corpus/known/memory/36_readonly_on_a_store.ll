; A pointer that is stored through becomes readonly
; EXPECT llvm: more-ub
define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  ret void
}

define void @tgt(ptr readonly %p) {
  store i8 1, ptr %p, align 1
  ret void
}
