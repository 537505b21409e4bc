; udiv a, C with C negative -> select (icmp ult a, C), 0, 1 (Taming UB 3.4; RFC 2016)
; Stated by the source: llvm, taming, select-ub.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT select-ub: more-ub
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: more-poison
define i4 @src(i4 %a) {
  %r = udiv i4 %a, -3
  ret i4 %r
}

define i4 @tgt(i4 %a) {
  %c = icmp ult i4 %a, -3
  %r = select i1 %c, i4 0, i4 1
  ret i4 %r
}
