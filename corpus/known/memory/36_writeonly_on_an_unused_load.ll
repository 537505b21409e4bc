; A pointer through which a load is made that nobody uses becomes writeonly
; EXPECT llvm: refines
define void @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  ret void
}

define void @tgt(ptr writeonly %p) {
  %v = load i8, ptr %p, align 1
  ret void
}
