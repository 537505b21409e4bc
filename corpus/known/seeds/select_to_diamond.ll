; select -> br and phi (Taming UB 5.2)
; Stated by the source: llvm, taming.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-ub
; EXPECT llvm-undef: more-ub
; EXPECT defined-inputs: refines
; EXPECT taming: more-ub
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT select-ub: refines
; EXPECT select-either: more-ub
; EXPECT overflow-undef: more-ub
; EXPECT overflow-wrap: more-ub
; EXPECT shift-undef: more-ub
; EXPECT bitwise: more-ub
define i2 @src(i1 %c, i2 %a, i2 %b) {
  %r = select i1 %c, i2 %a, i2 %b
  ret i2 %r
}

define i2 @tgt(i1 %c, i2 %a, i2 %b) {
  br i1 %c, label %t, label %e
t:
  br label %m
e:
  br label %m
m:
  %r = phi i2 [ %a, %t ], [ %b, %e ]
  ret i2 %r
}
