; icmp sgt (add nsw a, b), a -> icmp sgt b, 0 (Taming UB 2.4)
; Stated by the source: llvm, taming, overflow-undef.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: value
; EXPECT overflow-wrap: value
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
define i1 @src(i3 %a, i3 %b) {
  %s = add nsw i3 %a, %b
  %r = icmp sgt i3 %s, %a
  ret i1 %r
}

define i1 @tgt(i3 %a, i3 %b) {
  %r = icmp sgt i3 %b, 0
  ret i1 %r
}
