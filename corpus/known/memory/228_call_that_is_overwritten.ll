; What a call does shows in what it writes, and here that is written over
; EXPECT llvm: refines
declare void @g(ptr)
define void @src(ptr %p) {
  call void @g(ptr captures(none) %p) willreturn nounwind memory(argmem: write)
  store i8 1, ptr %p
  ret void
}
define void @tgt(ptr %p) {
  store i8 1, ptr %p
  ret void
}
