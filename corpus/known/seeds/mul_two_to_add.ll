; mul x, 2 -> add x, x (Taming UB 3.1; LLVM UB manual)
; Stated by the source: llvm, llvm-undef, taming.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: more-undef
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: more-undef
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: more-poison
define i4 @src(i4 %x) {
  %r = mul i4 %x, 2
  ret i4 %r
}

define i4 @tgt(i4 %x) {
  %r = add i4 %x, %x
  ret i4 %r
}
