; A store goes before a call that may write there, or not
; The call may unwind, and a caller that catches it sees what was stored: that comes before
; `more-poison`.
; EXPECT llvm: calls
declare void @w(ptr) memory(write)

define i8 @src(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @w(ptr %p)
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  call void @w(ptr %p)
  %v = load i8, ptr %p, align 1
  ret i8 %v
}
