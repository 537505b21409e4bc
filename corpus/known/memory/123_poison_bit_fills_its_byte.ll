; Where a bit is stored as a byte by zext, poison fills the byte (LangRef, zext)
; EXPECT llvm:padding=zero: refines
; EXPECT llvm: refines
define void @src(ptr %p) {
  store i1 poison, ptr %p, align 1
  ret void
}
define void @tgt(ptr %p) {
  store i8 poison, ptr %p, align 1
  ret void
}
