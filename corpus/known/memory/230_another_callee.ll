; Two callees leave behind what they like, each for itself
; EXPECT llvm: value
declare void @g(ptr)
declare void @h(ptr)
define i8 @src() {
  %b = alloca i8
  call void @g(ptr captures(none) %b) willreturn nounwind memory(argmem: readwrite)
  %r = load i8, ptr %b
  ret i8 %r
}
define i8 @tgt() {
  %b = alloca i8
  call void @h(ptr captures(none) %b) willreturn nounwind memory(argmem: readwrite)
  %r = load i8, ptr %b
  ret i8 %r
}
