; select c, x, undef -> x (Taming UB 3.4; RFC 2016)
; Stated by the source: llvm, llvm-undef.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-poison
; EXPECT llvm-undef: more-poison
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: more-poison
; EXPECT branch-nondet-undef: more-poison
; EXPECT select-ub: more-poison
; EXPECT select-either: refines
; EXPECT overflow-undef: more-poison
; EXPECT overflow-wrap: more-poison
; EXPECT shift-undef: more-poison
; EXPECT bitwise: more-poison
define i2 @src(i1 %c, i2 %x) {
  %r = select i1 %c, i2 %x, i2 undef
  ret i2 %r
}

define i2 @tgt(i1 %c, i2 %x) {
  ret i2 %x
}
