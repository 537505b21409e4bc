; icmp sgt (add nsw x, 1), x -> true (Alive 2.4)
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
define i1 @src(i4 %x) {
  %s = add nsw i4 %x, 1
  %r = icmp sgt i4 %s, %x
  ret i1 %r
}

define i1 @tgt(i4 %x) {
  ret i1 true
}
