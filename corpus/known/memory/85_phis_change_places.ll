; two values that change places in each round
; EXPECT llvm: wrong
define i8 @src(ptr %p, ptr %q, i8 %n) {
entry:
  %x = load i8, ptr %p
  %y = load i8, ptr %q
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i1, %loop ]
  %a = phi i8 [ %x, %entry ], [ %b, %loop ]
  %b = phi i8 [ %y, %entry ], [ %a, %loop ]
  %i1 = add i8 %i, 1
  %c = icmp ult i8 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i8 %a
}
define i8 @tgt(ptr %p, ptr %q, i8 %n) {
entry:
  %x = load i8, ptr %p
  %y = load i8, ptr %q
  %c = icmp ult i8 %n, 2
  %r = select i1 %c, i8 %x, i8 %y
  ret i8 %r
}
