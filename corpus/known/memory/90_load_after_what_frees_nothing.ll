; a call that frees nothing leaves what was there before
; EXPECT llvm: refines
declare void @g() nofree nounwind willreturn

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
