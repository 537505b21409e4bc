; A mask of bits that are 0 does nothing
; EXPECT llvm: refines
define ptr @src(ptr align 8 %p) {
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
  ret ptr %a
}
define ptr @tgt(ptr align 8 %p) {
  ret ptr %p
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
