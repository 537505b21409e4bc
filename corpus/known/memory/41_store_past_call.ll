; A store moves behind a call
; The call may free the byte, and a store to it is UB: that comes before `calls`.
; EXPECT llvm: more-ub
declare void @g()

define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @g()
  ret void
}

define void @tgt(ptr %p) {
  call void @g()
  store i8 1, ptr %p, align 1
  ret void
}
