; PR21243: sdiv (sdiv X, C1), C2 -> 0 where C1 * C2 overflows (Alive figure 8), i4, C1 = -4 and C2 = -2 whose product overflows
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
; EXPECT bitwise: value
define i4 @src(i4 %X) {
  %Op0 = sdiv i4 %X, -4
  %r = sdiv i4 %Op0, -2
  ret i4 %r
}

define i4 @tgt(i4 %X) {
  ret i4 0
}
