; dividing lanes that were not divided before (LangRef)
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
define i2 @src(<2 x i2> %a, <2 x i2> %b) {
  %x = extractelement <2 x i2> %a, i2 0
  %y = extractelement <2 x i2> %b, i2 0
  %r = udiv i2 %x, %y
  ret i2 %r
}

define i2 @tgt(<2 x i2> %a, <2 x i2> %b) {
  %q = udiv <2 x i2> %a, %b
  %r = extractelement <2 x i2> %q, i2 0
  ret i2 %r
}
