; a pointer walks through an array, in step: the first byte that is zero
; EXPECT llvm: refines
define ptr @src(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %v = load i8, ptr %q
  %r = getelementptr i8, ptr %q, i64 1
  %c = icmp eq i8 %v, 0
  br i1 %c, label %exit, label %loop
exit:
  ret ptr %q
}
define ptr @tgt(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %v = load i8, ptr %q
  %r = getelementptr i8, ptr %q, i64 1
  %c = icmp ne i8 %v, 0
  br i1 %c, label %loop, label %exit
exit:
  ret ptr %q
}
