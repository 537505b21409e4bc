; a load leaves a loop that writes elsewhere
; EXPECT llvm: refines
define void @src(ptr %p, i8 %n) {
entry:
  %q = getelementptr i8, ptr %p, i64 1
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %v = load i8, ptr %p
  %w = add i8 %v, %i
  store i8 %w, ptr %q
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr %p, i8 %n) {
entry:
  %q = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %p
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %w = add i8 %v, %i
  store i8 %w, ptr %q
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
