; PR21256: srem Op0, (0 - X) -> srem Op0, X (Alive figure 8), i4
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
define i4 @src(i4 %X, i4 %Op0) {
  %Op1 = sub i4 0, %X
  %r = srem i4 %Op0, %Op1
  ret i4 %r
}

define i4 @tgt(i4 %X, i4 %Op0) {
  %r = srem i4 %Op0, %X
  ret i4 %r
}
