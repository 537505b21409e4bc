; lanes are frozen one by one (LangRef)
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
define <2 x i2> @src(<2 x i2> %a, i2 %x) {
  %v = insertelement <2 x i2> %a, i2 %x, i2 0
  %r = freeze <2 x i2> %v
  ret <2 x i2> %r
}

define <2 x i2> @tgt(<2 x i2> %a, i2 %x) {
  %f = freeze <2 x i2> %a
  %g = freeze i2 %x
  %r = insertelement <2 x i2> %f, i2 %g, i2 0
  ret <2 x i2> %r
}
