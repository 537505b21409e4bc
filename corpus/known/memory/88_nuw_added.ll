; A step that may wrap: nuw makes it poison
; EXPECT llvm: more-poison
; EXPECT llvm:gep_bounds=ignored: refines
define ptr @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  ret ptr %q
}

define ptr @tgt(ptr %p) {
  %q = getelementptr nuw i8, ptr %p, i64 1
  ret ptr %q
}
