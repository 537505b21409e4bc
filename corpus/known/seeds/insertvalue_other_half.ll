; an element of a structure does not touch the other (LangRef)
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
define i2 @src(<2 x i2> %a, i2 %x) {
  %p = insertvalue { <2 x i2>, i2 } poison, <2 x i2> %a, 0
  %q = insertvalue { <2 x i2>, i2 } %p, i2 %x, 1
  %v = extractvalue { <2 x i2>, i2 } %q, 0
  %r = extractelement <2 x i2> %v, i2 1
  ret i2 %r
}

define i2 @tgt(<2 x i2> %a, i2 %x) {
  %r = extractelement <2 x i2> %a, i2 1
  ret i2 %r
}
