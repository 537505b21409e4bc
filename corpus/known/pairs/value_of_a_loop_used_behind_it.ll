; the exits of a loop carry its last value, which no phi hands on
; EXPECT llvm: refines
define i2 @src(i2 %n) {
entry:
  br label %loop
loop:
  %i = phi i2 [ 0, %entry ], [ %next, %loop ]
  %next = add i2 %i, 1
  %c = icmp eq i2 %i, %n
  br i1 %c, label %exit, label %loop
exit:
  ret i2 %i
}

define i2 @tgt(i2 %n) {
entry:
  br label %loop
loop:
  %i = phi i2 [ 0, %entry ], [ %next, %loop ]
  %next = add i2 %i, 1
  %c = icmp eq i2 %i, %n
  br i1 %c, label %exit, label %loop
exit:
  ret i2 %n
}
