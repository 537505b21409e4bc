; What a call promises of its pointer makes poison where it is not so
; EXPECT llvm: refines
define ptr @src(ptr %p) {
  %a = call ptr @llvm.ptrmask.p0.i64(ptr nonnull align 16 %p, i64 -8)
  ret ptr %a
}
define ptr @tgt(ptr %p) {
  ret ptr %p
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
