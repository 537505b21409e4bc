; PR21274: udiv X, (lshr (shl Power, A), B) -> udiv X, (shl Power, A - B) (Alive figure 8), i2, Power = INT_MIN
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
define i2 @src(i2 %X, i2 %A, i2 %B) {
  %s = shl i2 -2, %A
  %Y = lshr i2 %s, %B
  %r = udiv i2 %X, %Y
  ret i2 %r
}

define i2 @tgt(i2 %X, i2 %A, i2 %B) {
  %sub = sub i2 %A, %B
  %Y = shl i2 -2, %sub
  %r = udiv i2 %X, %Y
  ret i2 %r
}
