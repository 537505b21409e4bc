; PR21245: sdiv (shl nsw X, C1), C2 -> sdiv X, C2 / (1 << C1) (Alive figure 8), i4, C1 = 3 and C2 = -8 where 1 << C1 is INT_MIN
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: value
; EXPECT llvm-undef: value
; EXPECT defined-inputs: value
; EXPECT taming: value
; EXPECT branch-nondet: value
; EXPECT branch-nondet-undef: value
; EXPECT select-ub: value
; EXPECT select-either: value
; EXPECT overflow-undef: value
; EXPECT overflow-wrap: value
; EXPECT shift-undef: value
; EXPECT bitwise: more-poison
define i4 @src(i4 %X) {
  %s = shl nsw i4 %X, 3
  %r = sdiv i4 %s, -8
  ret i4 %r
}

define i4 @tgt(i4 %X) {
  %r = sdiv i4 %X, 1
  ret i4 %r
}
