; What is in bounds of an object is not at address 0
; EXPECT llvm: refines
define i1 @src(ptr %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 -1
  %c = icmp eq ptr %q, null
  ret i1 %c
}
define i1 @tgt(ptr %p) {
  ret i1 false
}
