; And something where somebody may look at it
; EXPECT llvm: calls
@g = external global i8
declare void @fill(ptr nofree) nounwind willreturn memory(argmem: write)
define void @src(i1 %c) {
  %s = select i1 %c, ptr @g, ptr null
  call void @fill(ptr %s)
  ret void
}
define void @tgt(i1 %c) {
  ret void
}
