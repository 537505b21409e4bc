; An argument at address 0 may be in front of a block, with something behind it
; EXPECT llvm: value
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %q, align 1
  %c = icmp eq ptr %p, null
  %r = zext i1 %c to i8
  ret i8 %r
}
define i8 @tgt(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %q, align 1
  ret i8 0
}
