; Of two equal pointers the other one is returned
; EXPECT llvm: value
define ptr @src(ptr %p, ptr %q) {
  %c = icmp eq ptr %p, %q
  %r = select i1 %c, ptr %p, ptr null
  ret ptr %r
}

define ptr @tgt(ptr %p, ptr %q) {
  %c = icmp eq ptr %p, %q
  %r = select i1 %c, ptr %q, ptr null
  ret ptr %r
}
