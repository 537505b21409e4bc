; An undef pointer may be any other
; EXPECT llvm: refines
define ptr @src(ptr noundef %p, i1 noundef %c) {
  %r = select i1 %c, ptr %p, ptr undef
  ret ptr %r
}
define ptr @tgt(ptr noundef %p, i1 noundef %c) {
  ret ptr %p
}
