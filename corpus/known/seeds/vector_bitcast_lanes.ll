; lane 0 of a bitcast holds the lowest bits (LangRef)
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
define <2 x i2> @src(i4 %a) {
  %r = bitcast i4 %a to <2 x i2>
  ret <2 x i2> %r
}

define <2 x i2> @tgt(i4 %a) {
  %l = trunc i4 %a to i2
  %s = lshr i4 %a, 2
  %h = trunc i4 %s to i2
  %v = insertelement <2 x i2> poison, i2 %l, i2 0
  %r = insertelement <2 x i2> %v, i2 %h, i2 1
  ret <2 x i2> %r
}
