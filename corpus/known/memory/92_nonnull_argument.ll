; null in place of a pointer that is never null is poison
; EXPECT llvm: refines
define i1 @src(ptr nonnull %p) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}

define i1 @tgt(ptr nonnull %p) {
  ret i1 false
}
