; A pointer that is stored through first initializes
; EXPECT llvm: refines
define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  ret void
}

define void @tgt(ptr initializes((0, 1)) %p) {
  store i8 1, ptr %p, align 1
  ret void
}
