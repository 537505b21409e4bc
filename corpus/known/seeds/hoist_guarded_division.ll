; hoist 1 / k out of a loop that k != 0 guards (Taming UB 3.2)
; Stated by the source: llvm, taming, branch-nondet.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: more-ub
; EXPECT branch-nondet-undef: more-ub
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
declare void @use(i2)

define void @src(i2 %k, i1 %c) {
  %nz = icmp ne i2 %k, 0
  br i1 %nz, label %pre, label %exit
pre:
  br label %head
head:
  %more = phi i1 [ %c, %pre ], [ false, %body ]
  br i1 %more, label %body, label %exit
body:
  %q = udiv i2 1, %k
  call void @use(i2 %q)
  br label %head
exit:
  ret void
}

define void @tgt(i2 %k, i1 %c) {
  %nz = icmp ne i2 %k, 0
  br i1 %nz, label %pre, label %exit
pre:
  %q = udiv i2 1, %k
  br label %head
head:
  %more = phi i1 [ %c, %pre ], [ false, %body ]
  br i1 %more, label %body, label %exit
body:
  call void @use(i2 %q)
  br label %head
exit:
  ret void
}
