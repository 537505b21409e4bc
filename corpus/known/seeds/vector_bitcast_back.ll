; one poison lane makes the integer poison, but no lane of the vector (LangRef)
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-poison
; EXPECT llvm-undef: more-poison
; EXPECT defined-inputs: refines
; EXPECT taming: more-poison
; EXPECT branch-nondet: more-poison
; EXPECT branch-nondet-undef: more-poison
; EXPECT select-ub: more-poison
; EXPECT select-either: more-poison
; EXPECT overflow-undef: more-poison
; EXPECT overflow-wrap: more-poison
; EXPECT shift-undef: more-poison
; EXPECT bitwise: refines
define <2 x i2> @src(<2 x i2> %a) {
  ret <2 x i2> %a
}

define <2 x i2> @tgt(<2 x i2> %a) {
  %w = bitcast <2 x i2> %a to i4
  %r = bitcast i4 %w to <2 x i2>
  ret <2 x i2> %r
}
