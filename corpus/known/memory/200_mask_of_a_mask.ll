; Masks of pointers add up (LangRef, llvm.ptrmask)
; EXPECT llvm: refines
define ptr @src(ptr %p) {
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
  %b = call ptr @llvm.ptrmask.p0.i64(ptr %a, i64 -8)
  ret ptr %b
}
define ptr @tgt(ptr %p) {
  %b = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
  ret ptr %b
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
