; What is writable may be written back, whatever noalias says of another argument
; EXPECT llvm: refines
define i8 @src(ptr noalias %q, ptr writable dereferenceable(1) %p) {
  %v = load i8, ptr %q, align 1
  ret i8 %v
}

define i8 @tgt(ptr noalias %q, ptr writable dereferenceable(1) %p) {
  %x = load i8, ptr %p, align 1
  store i8 %x, ptr %p, align 1
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
