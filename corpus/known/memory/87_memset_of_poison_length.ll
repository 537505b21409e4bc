; of a length that is poison: UB
; EXPECT llvm: refines
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @src(ptr %p, i64 %n) {
  %m = add nuw i64 %n, 1
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %m, i1 false)
  ret void
}
define void @tgt(ptr %p, i64 %n) {
  %m = add nuw i64 %n, 1
  %c = icmp eq i64 %m, 0
  br i1 %c, label %a, label %b
a:
  unreachable
b:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %m, i1 false)
  ret void
}
