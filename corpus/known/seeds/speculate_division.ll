; speculate udiv 3, v across a branch (LLVM UB manual)
; Stated by the source: llvm, taming.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-ub
; EXPECT llvm-undef: more-ub
; EXPECT defined-inputs: more-ub
; EXPECT taming: more-ub
; EXPECT branch-nondet: more-ub
; EXPECT branch-nondet-undef: more-ub
; EXPECT select-ub: more-ub
; EXPECT select-either: more-ub
; EXPECT overflow-undef: more-ub
; EXPECT overflow-wrap: more-ub
; EXPECT shift-undef: more-ub
; EXPECT bitwise: more-ub
define i4 @src(i1 %c, i4 %v) {
  br i1 %c, label %t, label %e
t:
  %d = udiv i4 3, %v
  ret i4 %d
e:
  ret i4 0
}

define i4 @tgt(i1 %c, i4 %v) {
  %d = udiv i4 3, %v
  br i1 %c, label %t, label %e
t:
  ret i4 %d
e:
  ret i4 0
}
