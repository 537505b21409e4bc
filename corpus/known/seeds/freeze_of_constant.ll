; freeze 3 -> 3 (Taming UB 6)
; Stated by the source: llvm, llvm-undef, taming.
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
  %r = freeze i4 3
  ret i4 %r
}

define i4 @tgt() {
  ret i4 3
}
