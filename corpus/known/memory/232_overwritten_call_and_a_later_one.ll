; A store before a call that reads the byte shows in what the call may leave as it was
; EXPECT llvm: value
declare void @g(ptr)
define i8 @src() {
  %b = alloca i8
  store i8 1, ptr %b
  call void @g(ptr captures(none) %b) willreturn nounwind memory(argmem: readwrite)
  %r = load i8, ptr %b
  ret i8 %r
}
define i8 @tgt() {
  %b = alloca i8
  store i8 2, ptr %b
  call void @g(ptr captures(none) %b) willreturn nounwind memory(argmem: readwrite)
  %r = load i8, ptr %b
  ret i8 %r
}
