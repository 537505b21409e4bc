; A select on poison that picks an arm freezes its condition (docs/semantics.md, section 5).
; EXPECT llvm: more-poison
; EXPECT select-ub: more-ub
; EXPECT llvm:select_condition=nondeterministic: refines
; EXPECT defined-inputs:select_condition=nondeterministic: refines
; EXPECT select-either:select_condition=nondeterministic: refines
define i2 @src(i1 %c, i2 %a, i2 %b) {
  %f = freeze i1 %c
  %r = select i1 %f, i2 %a, i2 %b
  ret i2 %r
}

define i2 @tgt(i1 %c, i2 %a, i2 %b) {
  %r = select i1 %c, i2 %a, i2 %b
  ret i2 %r
}
