; A pointer that is returned becomes captures(none)
; EXPECT llvm: wrong
define ptr @src(ptr %p) {
  ret ptr %p
}

define ptr @tgt(ptr captures(none) %p) {
  ret ptr %p
}
