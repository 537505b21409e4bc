; add (add undef, 0), itself -> undef (LLVM UB manual)
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
  %u = add i4 undef, 0
  %r = add i4 %u, %u
  ret i4 %r
}

define i4 @tgt() {
  ret i4 undef
}
