; PR20186: 0 - (sdiv X, C) -> sdiv X, -C (Alive figure 8), C = INT_MIN of i4
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: value
; EXPECT llvm-undef: more-undef
; EXPECT defined-inputs: value
; EXPECT taming: value
; EXPECT branch-nondet: value
; EXPECT branch-nondet-undef: more-undef
; EXPECT select-ub: value
; EXPECT select-either: value
; EXPECT overflow-undef: value
; EXPECT overflow-wrap: value
; EXPECT shift-undef: value
; EXPECT bitwise: value
define i4 @src(i4 %X) {
  %a = sdiv i4 %X, -8
  %r = sub i4 0, %a
  ret i4 %r
}

define i4 @tgt(i4 %X) {
  %r = sdiv i4 %X, -8
  ret i4 %r
}
