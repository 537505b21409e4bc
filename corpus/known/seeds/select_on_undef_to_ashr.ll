; select undef, -1, 0 -> ashr undef, 3 (Alive 3.1.3)
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
define i4 @src() {
  %r = select i1 undef, i4 -1, i4 0
  ret i4 %r
}

define i4 @tgt() {
  %r = ashr i4 undef, 3
  ret i4 %r
}
