; In the arm where a pointer is null, the load of it becomes one of null (llvm issue 99436)
; EXPECT llvm: more-ub
define i8 @src(ptr %p) {
  %c = icmp eq ptr %p, null
  %v = load i8, ptr %p, align 1
  %r = select i1 %c, i8 %v, i8 0
  ret i8 %r
}

define i8 @tgt(ptr %p) {
  %c = icmp eq ptr %p, null
  %v = load i8, ptr null, align 1
  %r = select i1 %c, i8 %v, i8 0
  ret i8 %r
}
