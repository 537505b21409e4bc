; A load gives what was stored before a call that sees no memory
; EXPECT llvm: refines
declare void @g() memory(none)

define i8 @src(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @g()
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @g()
  ret i8 1
}
