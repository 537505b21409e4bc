; what the outer loop loads, at each round of the inner one
; EXPECT llvm: refines
define i8 @src(ptr %p, i2 %n, i2 %m) {
entry:
  br label %outer
outer:
  %i = phi i2 [ 0, %entry ], [ %i1, %latch ]
  %v = load i8, ptr %p
  br label %inner
inner:
  %j = phi i2 [ 0, %outer ], [ %j1, %inner ]
  %w = add i8 %v, 1
  store i8 %w, ptr %p
  %j1 = add i2 %j, 1
  %c = icmp ult i2 %j1, %n
  br i1 %c, label %inner, label %latch
latch:
  %i1 = add i2 %i, 1
  %d = icmp ult i2 %i1, %m
  br i1 %d, label %outer, label %exit
exit:
  %r = sub i8 %w, %v
  ret i8 %r
}
define i8 @tgt(ptr %p, i2 %n, i2 %m) {
entry:
  br label %outer
outer:
  %i = phi i2 [ 0, %entry ], [ %i1, %latch ]
  %v = load i8, ptr %p
  %w = add i8 1, %v
  br label %inner
inner:
  %j = phi i2 [ 0, %outer ], [ %j1, %inner ]
  store i8 %w, ptr %p
  %j1 = add i2 %j, 1
  %c = icmp ult i2 %j1, %n
  br i1 %c, label %inner, label %latch
latch:
  %i1 = add i2 %i, 1
  %d = icmp ult i2 %i1, %m
  br i1 %d, label %outer, label %exit
exit:
  ret i8 1
}
