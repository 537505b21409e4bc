; A load moves in front of a call that may not return
; EXPECT llvm: more-ub
declare void @g() memory(none)

define i8 @src(ptr %p) {
  call void @g()
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  call void @g()
  ret i8 %v
}
