; the sum of bytes, by index: as it was, and with a byte less
; EXPECT llvm: refines
define i8 @src(ptr %p, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i8 [ 0, %entry ], [ %s1, %loop ]
  %q = getelementptr i8, ptr %p, i8 %i
  %v = load i8, ptr %q
  %s1 = add i8 %s, %v
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i8 %s1
}
define i8 @tgt(ptr %p, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %q1 = phi ptr [ %p, %entry ], [ %q, %loop ]
  %s = phi i8 [ 0, %entry ], [ %s1, %loop ]
  %v = load i8, ptr %q1
  %s1 = add i8 %v, %s
  %i1 = add i8 %i, 1
  %q = getelementptr i8, ptr %p, i8 %i1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i8 %s1
}
