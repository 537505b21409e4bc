; What could be loaded as an i12 is one without the store as well
; EXPECT llvm: refines
define void @src(ptr %p) {
  %v = load i12, ptr %p, align 1
  store i12 %v, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  ret void
}
