; A call that is sure to come back and may write nothing that is there does nothing
; EXPECT llvm: refines
@g = external constant i8
declare void @fill(ptr nofree) nounwind willreturn memory(argmem: write)
define void @src(i1 %c) {
  %s = select i1 %c, ptr @g, ptr null
  call void @fill(ptr %s)
  ret void
}
define void @tgt(i1 %c) {
  ret void
}
