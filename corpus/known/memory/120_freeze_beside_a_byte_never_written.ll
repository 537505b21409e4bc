; What is frozen is any number, and what was never written is one too; nothing is chosen between the two
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
define i8 @src() {
  %p = alloca i8, align 1
  %u = load i8, ptr %p, align 1
  %f = freeze i8 poison
  %x = add i8 %f, %u
  ret i8 %x
}
define i8 @tgt() {
  ret i8 7
}
