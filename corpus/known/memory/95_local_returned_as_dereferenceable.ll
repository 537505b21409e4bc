; a caller finds no local variable
; EXPECT llvm: refines
define dereferenceable(1) ptr @src() {
  %a = alloca i8, align 1
  ret ptr %a
}

define dereferenceable(1) ptr @tgt() {
  unreachable
}
