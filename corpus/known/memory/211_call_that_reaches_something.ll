; And something where it is not null
; EXPECT llvm: calls
declare void @fill(ptr nofree) nounwind willreturn memory(argmem: write)
define void @src(ptr %p) {
  %c = icmp ne ptr %p, null
  br i1 %c, label %a, label %b
a:
  call void @fill(ptr %p)
  ret void
b:
  ret void
}
define void @tgt(ptr %p) {
  ret void
}
