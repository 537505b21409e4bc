; shl (ashr exact x, 1), 2 -> shl x, 1 (RFC 2016)
; Stated by the source: llvm, bitwise.
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
; EXPECT bitwise: more-poison
define i4 @src(i4 %x) {
  %s = ashr exact i4 %x, 1
  %r = shl i4 %s, 2
  ret i4 %r
}

define i4 @tgt(i4 %x) {
  %r = shl i4 %x, 1
  ret i4 %r
}
