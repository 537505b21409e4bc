; x * (1 + y) -> x + x * y (RFC 2016)
; Stated by the source: llvm, taming, bitwise.
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
define i2 @src(i2 %x, i2 %y) {
  %s = add i2 1, %y
  %r = mul i2 %x, %s
  ret i2 %r
}

define i2 @tgt(i2 %x, i2 %y) {
  %p = mul i2 %x, %y
  %r = add i2 %x, %p
  ret i2 %r
}
