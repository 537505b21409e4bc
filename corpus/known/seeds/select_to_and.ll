; select cmp1, cmp2, false -> and cmp1, cmp2 where cmp2 uses y (LLVM UB manual)
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
define i1 @src(i3 %x, i3 %y) {
  %cmp1 = icmp ne i3 %x, 0
  %cmp2 = icmp ugt i3 %x, %y
  %r = select i1 %cmp1, i1 %cmp2, i1 false
  ret i1 %r
}

define i1 @tgt(i3 %x, i3 %y) {
  %cmp1 = icmp ne i3 %x, 0
  %cmp2 = icmp ugt i3 %x, %y
  %r = and i1 %cmp1, %cmp2
  ret i1 %r
}
