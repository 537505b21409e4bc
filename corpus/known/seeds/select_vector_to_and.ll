; a lane that the condition does not choose may be poison (LangRef)
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-poison
; EXPECT llvm-undef: more-poison
; EXPECT defined-inputs: refines
; EXPECT taming: more-poison
; EXPECT branch-nondet: more-poison
; EXPECT branch-nondet-undef: more-poison
; EXPECT select-ub: more-poison
; EXPECT select-either: refines
; EXPECT overflow-undef: more-poison
; EXPECT overflow-wrap: more-poison
; EXPECT shift-undef: more-poison
; EXPECT bitwise: refines
define <2 x i1> @src(<2 x i1> %c, <2 x i1> %x) {
  %r = select <2 x i1> %c, <2 x i1> %x, <2 x i1> zeroinitializer
  ret <2 x i1> %r
}

define <2 x i1> @tgt(<2 x i1> %c, <2 x i1> %x) {
  %r = and <2 x i1> %c, %x
  ret <2 x i1> %r
}
