; select c, true, x -> or c, freeze x (Taming UB 3.4)
; Stated by the source: llvm, taming.
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
define i1 @src(i1 %c, i1 %x) {
  %r = select i1 %c, i1 true, i1 %x
  ret i1 %r
}

define i1 @tgt(i1 %c, i1 %x) {
  %f = freeze i1 %x
  %r = or i1 %c, %f
  ret i1 %r
}
