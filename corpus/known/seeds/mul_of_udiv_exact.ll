; mul (udiv exact x, y), y -> x (RFC 2016)
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
define i3 @src(i3 %x, i3 %y) {
  %q = udiv exact i3 %x, %y
  %r = mul i3 %q, %y
  ret i3 %r
}

define i3 @tgt(i3 %x, i3 %y) {
  ret i3 %x
}
