; The callee may copy what it reads through one argument to the other
; EXPECT llvm: value
declare void @g(ptr, ptr)
define i8 @src() {
  %a = alloca i8
  %b = alloca i8
  store i8 1, ptr %a
  call void @g(ptr readonly captures(none) %a, ptr writeonly captures(none) %b) willreturn nounwind memory(argmem: readwrite)
  %r = load i8, ptr %b
  ret i8 %r
}
define i8 @tgt() {
  %a = alloca i8
  %b = alloca i8
  store i8 2, ptr %a
  call void @g(ptr readonly captures(none) %a, ptr writeonly captures(none) %b) willreturn nounwind memory(argmem: readwrite)
  %r = load i8, ptr %b
  ret i8 %r
}
