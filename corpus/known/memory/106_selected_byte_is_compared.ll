; What a select takes from memory is compared: no few of its values are enough
; EXPECT llvm: value
define i1 @src(ptr %p, i1 %c) {
  %v = load i8, ptr %p, align 1
  %s = select i1 %c, i8 %v, i8 0
  %r = icmp eq i8 %s, 77
  ret i1 %r
}
define i1 @tgt(ptr %p, i1 %c) {
  %v = load i8, ptr %p, align 1
  %s = select i1 %c, i8 %v, i8 0
  %r = icmp eq i8 %s, 76
  ret i1 %r
}
