; A byte equals two bytes of memory, but not where it is negative
; EXPECT llvm: value
define i1 @src(i8 %x, ptr %q) {
  %s = sext i8 %x to i16
  %v = load i16, ptr %q, align 1
  %c = icmp eq i16 %s, %v
  ret i1 %c
}

define i1 @tgt(i8 %x, ptr %q) {
  %s = sext i8 %x to i16
  %v = load i16, ptr %q, align 1
  %c = icmp eq i16 %s, %v
  %n = icmp slt i8 %x, 0
  %r = select i1 %n, i1 false, i1 %c
  ret i1 %r
}
