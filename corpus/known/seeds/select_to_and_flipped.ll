; the same, flipped: all operands are in the condition (LLVM UB manual)
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
define i1 @src(i3 %x, i3 %y) {
  %cmp1 = icmp ne i3 %x, 0
  %cmp2 = icmp ugt i3 %x, %y
  %r = select i1 %cmp2, i1 %cmp1, i1 false
  ret i1 %r
}

define i1 @tgt(i3 %x, i3 %y) {
  %cmp1 = icmp ne i3 %x, 0
  %cmp2 = icmp ugt i3 %x, %y
  %r = and i1 %cmp1, %cmp2
  ret i1 %r
}
