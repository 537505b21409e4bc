; bitcast <2, poison, 2> to <2 x i3> -> poison: both lanes take a poison bit (R)
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
; EXPECT bitwise: more-poison
define <2 x i3> @src() {
  %r = bitcast <3 x i2> <i2 2, i2 poison, i2 2> to <2 x i3>
  ret <2 x i3> %r
}

define <2 x i3> @tgt() {
  ret <2 x i3> poison
}
