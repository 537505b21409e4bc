; A load moves to where its variable is not alive yet (llvm issue 194940)
; EXPECT llvm: more-poison
; EXPECT uninit-poison: refines
declare void @llvm.lifetime.start.p0(ptr)

define i8 @src() {
  %a = alloca i8, align 1
  call void @llvm.lifetime.start.p0(ptr %a)
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  call void @llvm.lifetime.start.p0(ptr %a)
  ret i8 %v
}
