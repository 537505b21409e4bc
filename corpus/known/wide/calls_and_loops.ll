; Pairs of wide integers with calls and loops.
; EXPECT src_sum: refines
; EXPECT src_other_argument: calls
; EXPECT src_hoisted_division: more-ub
; EXPECT src_both_sides: refines
; EXPECT src_reordered: calls
; EXPECT src_counted: refines
; EXPECT src_calls_in_loop: refines
; EXPECT src_wrong_step: value
; EXPECT src_invariant: refines
declare i32 @g(i32)
declare void @use(i32)

define i32 @src_sum(i32 %x) {
  %a = call i32 @g(i32 %x)
  %b = add i32 %a, %a
  call void @use(i32 %b)
  ret i32 %b
}
define i32 @tgt_sum(i32 %x) {
  %a = call i32 @g(i32 %x)
  %b = shl i32 %a, 1
  call void @use(i32 %b)
  ret i32 %b
}

define void @src_other_argument(i32 %x) {
  call void @use(i32 %x)
  ret void
}
define void @tgt_other_argument(i32 %x) {
  %a = add i32 %x, 1
  call void @use(i32 %a)
  ret void
}

define i32 @src_hoisted_division(i32 %x, i32 %y) {
  call void @use(i32 %x)
  %d = udiv i32 %x, %y
  ret i32 %d
}
define i32 @tgt_hoisted_division(i32 %x, i32 %y) {
  %d = udiv i32 %x, %y
  call void @use(i32 %x)
  ret i32 %d
}

define i32 @src_both_sides(i32 %x, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %a = call i32 @g(i32 %x)
  br label %join
else:
  %b = call i32 @g(i32 %x)
  br label %join
join:
  %p = phi i32 [ %a, %then ], [ %b, %else ]
  ret i32 %p
}
define i32 @tgt_both_sides(i32 %x, i1 %c) {
  %a = call i32 @g(i32 %x)
  ret i32 %a
}

define void @src_reordered(i32 %x, i32 %y) {
  call void @use(i32 %x)
  call void @use(i32 %y)
  ret void
}
define void @tgt_reordered(i32 %x, i32 %y) {
  call void @use(i32 %y)
  call void @use(i32 %x)
  ret void
}

define i32 @src_counted(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %m = mul i32 %j, 2
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %m
}
define i32 @tgt_counted(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %m = shl i32 %j, 1
  %c = icmp ugt i32 %n, %j
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %m
}

define void @src_calls_in_loop(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %t = trunc i64 %j to i32
  call void @use(i32 %t)
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt_calls_in_loop(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %l = trunc i64 %i to i32
  %t = add i32 %l, 1
  call void @use(i32 %t)
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define i32 @src_wrong_step(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %j
}
define i32 @tgt_wrong_step(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 2
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %j
}

define i32 @src_invariant(i32 %start, i32 %a, i32 %b) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %j, %loop ]
  %c1 = icmp ult i32 %i, %a
  %c2 = icmp ult i32 %i, %b
  %c = and i1 %c1, %c2
  %j = add i32 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %i
}
define i32 @tgt_invariant(i32 %start, i32 %a, i32 %b) {
entry:
  %m = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %j, %loop ]
  %c = icmp ult i32 %i, %m
  %j = add i32 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %i
}
