; A call whose memory nobody looks at is dropped before another that is looked at
; EXPECT llvm: refines
declare void @g(ptr)
define i8 @src() {
  %a = alloca i8
  %b = alloca i8
  store i8 1, ptr %a
  store i8 2, ptr %b
  call void @g(ptr captures(none) %a) willreturn nounwind memory(argmem: readwrite)
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
