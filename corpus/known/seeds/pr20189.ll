; PR20189: x -nsw (0 - A) -> x +nsw A (Alive figure 8), i4
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-poison
; EXPECT llvm-undef: more-poison
; EXPECT defined-inputs: more-poison
; EXPECT taming: more-poison
; EXPECT branch-nondet: more-poison
; EXPECT branch-nondet-undef: more-poison
; EXPECT select-ub: more-poison
; EXPECT select-either: more-poison
; EXPECT overflow-undef: more-undef
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: more-poison
; EXPECT bitwise: more-poison
define i4 @src(i4 %x, i4 %A) {
  %B = sub i4 0, %A
  %C = sub nsw i4 %x, %B
  ret i4 %C
}

define i4 @tgt(i4 %x, i4 %A) {
  %C = add nsw i4 %x, %A
  ret i4 %C
}
