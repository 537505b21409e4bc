; A frozen pointer may be any address, whatever is added to it
; EXPECT llvm: refines
define ptr @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %f = freeze ptr %q
  ret ptr %f
}

define ptr @tgt(ptr %p) {
  %f = freeze ptr %p
  %q = getelementptr i8, ptr %f, i64 1
  ret ptr %q
}
