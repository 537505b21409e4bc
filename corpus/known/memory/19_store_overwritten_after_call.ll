; A store goes that is overwritten after a call that may read it
; The call may free the byte: then the target is in UB behind a call that showed something else,
; which comes before `calls`.
; EXPECT llvm: more-ub
declare void @use()

define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @use()
  store i8 2, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  call void @use()
  store i8 2, ptr %p, align 1
  ret void
}
