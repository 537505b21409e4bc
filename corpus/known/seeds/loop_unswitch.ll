; loop unswitching without freeze (Taming UB 3.3)
; Stated by the source: llvm, taming, branch-nondet.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-ub
; EXPECT llvm-undef: more-ub
; EXPECT defined-inputs: refines
; EXPECT taming: more-ub
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT select-ub: more-ub
; EXPECT select-either: more-ub
; EXPECT overflow-undef: more-ub
; EXPECT overflow-wrap: more-ub
; EXPECT shift-undef: more-ub
; EXPECT bitwise: more-ub
declare void @foo()
declare void @bar()

define void @src(i1 %c2, i2 %n) {
  br label %head
head:
  %i = phi i2 [ 0, %0 ], [ %next, %latch ]
  %c = icmp ult i2 %i, %n
  br i1 %c, label %body, label %exit
body:
  br i1 %c2, label %t, label %e
t:
  call void @foo()
  br label %latch
e:
  call void @bar()
  br label %latch
latch:
  %next = add i2 %i, 1
  br label %head
exit:
  ret void
}

define void @tgt(i1 %c2, i2 %n) {
  br i1 %c2, label %th, label %eh
th:
  %i = phi i2 [ 0, %0 ], [ %in, %tb ]
  %ic = icmp ult i2 %i, %n
  br i1 %ic, label %tb, label %exit
tb:
  call void @foo()
  %in = add i2 %i, 1
  br label %th
eh:
  %j = phi i2 [ 0, %0 ], [ %jn, %eb ]
  %jc = icmp ult i2 %j, %n
  br i1 %jc, label %eb, label %exit
eb:
  call void @bar()
  %jn = add i2 %j, 1
  br label %eh
exit:
  ret void
}
