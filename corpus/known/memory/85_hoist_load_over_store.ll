; a load leaves a loop that may write there
; EXPECT llvm: wrong
define void @src(ptr %p, ptr %q, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %v = load i8, ptr %p
  %w = add i8 %v, 1
  store i8 %w, ptr %q
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr %p, ptr %q, i8 %n) {
entry:
  %v = load i8, ptr %p
  %w = add i8 %v, 1
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  store i8 %w, ptr %q
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
