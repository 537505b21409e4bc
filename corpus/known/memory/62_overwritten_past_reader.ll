; A store goes that is overwritten after a call that reads memory, but not this
; EXPECT llvm: refines
declare void @g() nounwind memory(read)

define void @src(ptr noalias %p) {
  store i8 1, ptr %p, align 1
  call void @g()
  store i8 2, ptr %p, align 1
  ret void
}

define void @tgt(ptr noalias %p) {
  call void @g()
  store i8 2, ptr %p, align 1
  ret void
}
