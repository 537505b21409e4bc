; PR21255: udiv (lshr X, C1), C2 -> udiv X, C2 << C1 (Alive figure 8), i4, C1 = 2 and C2 = 4: the product is 0
; Stated by the source: llvm.
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
define i4 @src(i4 %X) {
  %Op0 = lshr i4 %X, 2
  %r = udiv i4 %Op0, 4
  ret i4 %r
}

define i4 @tgt(i4 %X) {
  %r = udiv i4 %X, 0
  ret i4 %r
}
