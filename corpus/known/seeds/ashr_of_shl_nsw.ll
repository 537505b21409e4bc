; ashr (shl nsw a, 2), 1 -> shl nsw a, 1 (Alive 3.1.3)
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
; EXPECT overflow-undef: more-undef
; EXPECT overflow-wrap: value
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
define i4 @src(i4 %a) {
  %s = shl nsw i4 %a, 2
  %r = ashr i4 %s, 1
  ret i4 %r
}

define i4 @tgt(i4 %a) {
  %r = shl nsw i4 %a, 1
  ret i4 %r
}
