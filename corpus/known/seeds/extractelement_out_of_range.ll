; an index that names no lane gives poison (LangRef)
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
define i2 @src(<2 x i2> %a) {
  %r = extractelement <2 x i2> %a, i2 2
  ret i2 %r
}

define i2 @tgt(<2 x i2> %a) {
  ret i2 poison
}
