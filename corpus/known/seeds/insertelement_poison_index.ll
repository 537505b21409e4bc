; an unknown index gives a poison lane to none but all (LangRef)
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
; EXPECT bitwise: more-poison
define <2 x i2> @src(<2 x i2> %a, i1 %i) {
  %x = extractelement <2 x i2> %a, i1 0
  ret <2 x i2> %a
}

define <2 x i2> @tgt(<2 x i2> %a, i1 %i) {
  %x = extractelement <2 x i2> %a, i1 %i
  %r = insertelement <2 x i2> %a, i2 %x, i1 %i
  ret <2 x i2> %r
}
