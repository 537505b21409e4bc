; it is the value before the last that is written behind the loop
; EXPECT llvm: wrong
define void @src(ptr %p, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %v = load i8, ptr %p
  %w = add i8 %v, %i
  store i8 %w, ptr %p
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr %p, i8 %n) {
entry:
  %p0 = load i8, ptr %p
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %v = phi i8 [ %p0, %entry ], [ %w, %loop ]
  %w = add i8 %v, %i
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  store i8 %v, ptr %p
  ret void
}
