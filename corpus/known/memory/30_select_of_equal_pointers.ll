; Of two equal pointers one may be loaded from, and the other one is
; EXPECT llvm: more-ub
define i8 @src(ptr %p, ptr %q) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %c = icmp eq ptr %p1, %q
  %s = select i1 %c, ptr %p1, ptr %q
  %v = load i8, ptr %s, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p, ptr %q) {
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
