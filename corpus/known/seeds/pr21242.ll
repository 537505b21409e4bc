; PR21242: mul nsw x, C1 -> shl nsw x, log2(C1) (Alive figure 8), C1 = INT_MIN of i4
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-poison
; EXPECT llvm-undef: more-poison
; EXPECT defined-inputs: more-poison
; EXPECT taming: more-poison
; EXPECT branch-nondet: more-poison
; EXPECT branch-nondet-undef: more-poison
; EXPECT select-ub: more-poison
; EXPECT select-either: more-poison
; EXPECT overflow-undef: more-undef
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: more-poison
; EXPECT bitwise: more-poison
define i4 @src(i4 %x) {
  %r = mul nsw i4 %x, -8
  ret i4 %r
}

define i4 @tgt(i4 %x) {
  %r = shl nsw i4 %x, 3
  ret i4 %r
}
