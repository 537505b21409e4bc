; one freeze x used twice -> two freeze x (Taming UB 5.5)
; Stated by the source: llvm, taming.
; The other verdicts are what the engines agree on.
; EXPECT llvm: value
; EXPECT llvm-undef: value
; EXPECT defined-inputs: refines
; EXPECT taming: value
; EXPECT branch-nondet: value
; EXPECT branch-nondet-undef: value
; EXPECT select-ub: value
; EXPECT select-either: value
; EXPECT overflow-undef: value
; EXPECT overflow-wrap: value
; EXPECT shift-undef: value
; EXPECT bitwise: value
define i2 @src(i2 %x) {
  %f = freeze i2 %x
  %r = sub i2 %f, %f
  ret i2 %r
}

define i2 @tgt(i2 %x) {
  %f = freeze i2 %x
  %g = freeze i2 %x
  %r = sub i2 %f, %g
  ret i2 %r
}
