; Bytes are compared one by one, then both at once (llvm issue 62459)
; EXPECT llvm: more-poison
; EXPECT defined-inputs: refines
define i1 @src(ptr dereferenceable(2) %p, ptr dereferenceable(2) %q) {
  %v = load i8, ptr %p, align 1
  %w = load i8, ptr %q, align 1
  %c = icmp eq i8 %v, %w
  br i1 %c, label %then, label %join
then:
  %p1 = getelementptr i8, ptr %p, i64 1
  %q1 = getelementptr i8, ptr %q, i64 1
  %x = load i8, ptr %p1, align 1
  %y = load i8, ptr %q1, align 1
  %d = icmp eq i8 %x, %y
  br label %join
join:
  %r = phi i1 [ false, %0 ], [ %d, %then ]
  ret i1 %r
}

define i1 @tgt(ptr dereferenceable(2) %p, ptr dereferenceable(2) %q) {
  %v = load i16, ptr %p, align 1
  %w = load i16, ptr %q, align 1
  %r = icmp eq i16 %v, %w
  ret i1 %r
}
