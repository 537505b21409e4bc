; A load gives what was stored before a call that sees only what its arguments point to
; EXPECT llvm: refines
declare void @g() memory(argmem: readwrite)

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
