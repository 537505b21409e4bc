; A load of a variable that is dead gives poison
; EXPECT llvm: refines
; EXPECT llvm:dead_load=ub: refines
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

define i8 @src() {
  %a = alloca i8, align 1
  call void @llvm.lifetime.start.p0(ptr %a)
  store i8 1, ptr %a, align 1
  call void @llvm.lifetime.end.p0(ptr %a)
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  ret i8 poison
}
