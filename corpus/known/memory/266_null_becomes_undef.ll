; But no other pointer is undef
; EXPECT llvm: more-undef
define ptr @src() {
  ret ptr null
}
define ptr @tgt() {
  ret ptr undef
}
