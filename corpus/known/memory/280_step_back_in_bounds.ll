; Before an argument there may be something, whether it is accessed or not
; EXPECT llvm: value
define ptr @src(ptr %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 -1
  ret ptr %q
}
define ptr @tgt(ptr %p) {
  ret ptr %p
}
