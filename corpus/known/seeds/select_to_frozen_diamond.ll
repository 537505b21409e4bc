; select -> br on freeze, and phi (Taming UB 5.2)
; Stated by the source: llvm, taming.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
define i2 @src(i1 %c, i2 %a, i2 %b) {
  %r = select i1 %c, i2 %a, i2 %b
  ret i2 %r
}

define i2 @tgt(i1 %c, i2 %a, i2 %b) {
  %f = freeze i1 %c
  br i1 %f, label %t, label %e
t:
  br label %m
e:
  br label %m
m:
  %r = phi i2 [ %a, %t ], [ %b, %e ]
  ret i2 %r
}
