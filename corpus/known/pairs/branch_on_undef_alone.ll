; The two knobs of a branch are two: poison and undef may be told apart (LLVM UB manual).
; EXPECT llvm: more-ub
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT branch-nondet-undef:branch_on_poison=ub: more-ub
; EXPECT branch-nondet-undef:branch_on_undef=ub: more-ub
; EXPECT branch-nondet:branch_on_undef=ub: refines
define i2 @src(i1 %c) {
  %f = freeze i1 %c
  br i1 %f, label %then, label %else

then:
  ret i2 1

else:
  ret i2 2
}

define i2 @tgt(i1 %c) {
  br i1 %c, label %then, label %else

then:
  ret i2 1

else:
  ret i2 2
}
