; A pointer that is stored through becomes aligned (llvm issue 178925)
; EXPECT llvm: more-ub
define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  ret void
}

define void @tgt(ptr align 2 %p) {
  store i8 1, ptr %p, align 1
  ret void
}
