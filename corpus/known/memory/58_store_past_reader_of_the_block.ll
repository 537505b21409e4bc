; A store moves behind a call that reads the block of another pointer: it may be the same one
; EXPECT llvm: calls
declare void @g(ptr) nounwind memory(argmem: read)
declare void @llvm.assume(i1)

define void @src(ptr %p, ptr %q) {
  %x = load i8, ptr %p, align 1
  %y = load i8, ptr %q, align 1
  %c = icmp ne i8 %x, %y
  call void @llvm.assume(i1 %c)
  store i8 1, ptr %q, align 1
  call void @g(ptr %p)
  ret void
}

define void @tgt(ptr %p, ptr %q) {
  %x = load i8, ptr %p, align 1
  %y = load i8, ptr %q, align 1
  %c = icmp ne i8 %x, %y
  call void @llvm.assume(i1 %c)
  call void @g(ptr %p)
  store i8 1, ptr %q, align 1
  ret void
}
