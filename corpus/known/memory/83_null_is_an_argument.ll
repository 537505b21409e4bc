; an argument may be null
; EXPECT llvm: wrong
define i1 @src(ptr %p) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}
define i1 @tgt(ptr %p) {
  ret i1 false
}
