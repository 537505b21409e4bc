; what the target reads of q each time is UB by noalias, from the second round on
; EXPECT llvm: wrong
define void @src(ptr noalias %p, ptr %q, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  store i8 %i, ptr %p
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr noalias %p, ptr %q, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  store i8 %i, ptr %p
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  %d = icmp eq i8 %n, 2
  br i1 %d, label %more, label %end
more:
  %v = load i8, ptr %q
  br label %end
end:
  ret void
}
