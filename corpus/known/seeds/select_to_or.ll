; select c, true, x -> or c, x (Taming UB 3.4; RFC 2016)
; Stated by the source: llvm, taming, select-either.
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
define i1 @src(i1 %c, i1 %x) {
  %r = select i1 %c, i1 true, i1 %x
  ret i1 %r
}

define i1 @tgt(i1 %c, i1 %x) {
  %r = or i1 %c, %x
  ret i1 %r
}
