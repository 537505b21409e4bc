; A store to a variable that is dead is not reached
; EXPECT llvm: refines
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

define void @src() {
  %a = alloca i8, align 1
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  store i8 1, ptr %a, align 1
  ret void
}

define void @tgt() {
  unreachable
}
