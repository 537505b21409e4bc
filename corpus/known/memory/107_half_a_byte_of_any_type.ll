; Half a byte of memory that nobody wrote here is a number where the rest is zero
; EXPECT llvm: value
define i4 @src(ptr %p) {
  %v = load i4, ptr %p, align 1
  ret i4 %v
}
define i4 @tgt(ptr %p) {
  %v = load i4, ptr %p, align 1
  ret i4 0
}
