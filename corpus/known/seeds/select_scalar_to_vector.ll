; a scalar condition is a splat of it (LangRef)
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: more-poison
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: more-poison
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
define <2 x i2> @src(i1 %c, <2 x i2> %a, <2 x i2> %b) {
  %r = select i1 %c, <2 x i2> %a, <2 x i2> %b
  ret <2 x i2> %r
}

define <2 x i2> @tgt(i1 %c, <2 x i2> %a, <2 x i2> %b) {
  %h = insertelement <2 x i1> poison, i1 %c, i1 0
  %v = insertelement <2 x i1> %h, i1 %c, i1 1
  %r = select <2 x i1> %v, <2 x i2> %a, <2 x i2> %b
  ret <2 x i2> %r
}
