; what a call may have freed cannot be loaded, though it was there before
; EXPECT llvm: more-ub
declare void @g() nounwind willreturn

define i8 @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  call void @g()
  ret i8 0
}

define i8 @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  call void @g()
  %w = load i8, ptr %p, align 1
  ret i8 0
}
