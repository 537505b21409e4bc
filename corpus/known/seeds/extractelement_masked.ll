; an index may not lose its mask: then it may name no lane (LangRef)
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
; EXPECT overflow-undef: more-poison
; EXPECT overflow-wrap: more-poison
; EXPECT shift-undef: more-poison
; EXPECT bitwise: more-poison
define i2 @src(<2 x i2> %a, i2 %i) {
  %m = and i2 %i, 1
  %r = extractelement <2 x i2> %a, i2 %m
  ret i2 %r
}

define i2 @tgt(<2 x i2> %a, i2 %i) {
  %r = extractelement <2 x i2> %a, i2 %i
  ret i2 %r
}
