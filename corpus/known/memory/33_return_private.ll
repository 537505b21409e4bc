; The address of a local variable becomes poison
; EXPECT llvm: more-poison
define ptr @src() {
  %a = alloca i8, align 1
  ret ptr %a
}

define ptr @tgt() {
  ret ptr poison
}
