; Stored through one of two equal pointers, loaded through the other
; EXPECT llvm: refines
define i8 @src(ptr %p, ptr %q) {
  %c = icmp eq ptr %p, %q
  br i1 %c, label %then, label %else
then:
  store i8 1, ptr %q, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
else:
  ret i8 0
}

define i8 @tgt(ptr %p, ptr %q) {
  %c = icmp eq ptr %p, %q
  br i1 %c, label %then, label %else
then:
  store i8 1, ptr %p, align 1
  ret i8 1
else:
  ret i8 0
}
