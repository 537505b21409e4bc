; A memset of one byte writes it
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 1, i1 false)
  %v = load i8, ptr %p, align 1
  ret i8 %v
}
define i8 @tgt(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 1, i1 false)
  ret i8 1
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
