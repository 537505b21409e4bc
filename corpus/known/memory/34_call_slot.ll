; A call writes where its result would be copied, and sees another address (llvm issue 163455)
; The call may free what it is given: of a local that is UB, of an argument that is dereferenceable
; too, and in the target only that is `more-ub`, which comes before `calls`.
; EXPECT llvm: more-ub
declare void @g(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

define void @src(ptr noalias noundef writable dereferenceable(1) dead_on_unwind %p) {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  ret void
}

define void @tgt(ptr noalias noundef writable dereferenceable(1) dead_on_unwind %p) {
  call void @g(ptr %p)
  ret void
}
