; And none may be made up
; EXPECT llvm: more-poison
define ptr @src(ptr %p) {
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
  ret ptr %a
}
define ptr @tgt(ptr %p) {
  %a = call nonnull ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
  ret ptr %a
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
