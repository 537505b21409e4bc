; the loop may go round no time
; EXPECT llvm: wrong
define i8 @src(ptr %p, i8 %n) {
entry:
  br label %head
head:
  %i = phi i8 [ 0, %entry ], [ %i1, %body ]
  %s = phi i8 [ 0, %entry ], [ %s1, %body ]
  %c = icmp ult i8 %i, %n
  br i1 %c, label %body, label %exit
body:
  %v = load i8, ptr %p
  %s1 = add i8 %s, %v
  %i1 = add i8 %i, 1
  br label %head
exit:
  ret i8 %s
}
define i8 @tgt(ptr %p, i8 %n) {
entry:
  %v = load i8, ptr %p
  br label %head
head:
  %i = phi i8 [ 0, %entry ], [ %i1, %body ]
  %s = phi i8 [ 0, %entry ], [ %s1, %body ]
  %c = icmp ult i8 %i, %n
  br i1 %c, label %body, label %exit
body:
  %s1 = add i8 %s, %v
  %i1 = add i8 %i, 1
  br label %head
exit:
  ret i8 %s
}
