; dividing only the lane that is used (LangRef)
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
define i2 @src(<2 x i2> %a, <2 x i2> %b) {
  %q = udiv <2 x i2> %a, %b
  %r = extractelement <2 x i2> %q, i2 0
  ret i2 %r
}

define i2 @tgt(<2 x i2> %a, <2 x i2> %b) {
  %x = extractelement <2 x i2> %a, i2 0
  %y = extractelement <2 x i2> %b, i2 0
  %r = udiv i2 %x, %y
  ret i2 %r
}
