; Other bits may be set
; EXPECT llvm: value
define ptr @src(ptr align 4 %p) {
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
  ret ptr %a
}
define ptr @tgt(ptr align 4 %p) {
  ret ptr %p
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
