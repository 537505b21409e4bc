; A call that is sure to come back, and may write behind a pointer that is null, does nothing
; EXPECT llvm: refines
declare void @fill(ptr nofree) nounwind willreturn memory(argmem: write)
define void @src(ptr %p) {
  %c = icmp eq ptr %p, null
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
